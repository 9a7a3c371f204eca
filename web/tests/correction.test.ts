import { expect, test } from 'vitest';
import { change } from '../src/battle/correction';
import type { ModelShown } from '../src/net/wire';

const MODEL: ModelShown = {
  row: 3, side: 0, unit: 1, name: 'Ann', kind: 'scout', where: 'table', x: 10, y: 4, z: 2, facing: 90,
  marks: [{ key: 'tired', text: 'Tired', value: 2 }, { key: 'prone', text: 'Prone' }],
};
const STOOD = { x: 10, y: 4, facing: 90 };
const MARKED = [{ key: 'tired', text: 'Tired', value: 2 }, { key: 'prone', text: 'Prone', value: 1 }];

test('nothing is corrected if nothing differs', () => expect(change(MODEL, STOOD, MARKED)).toEqual([]));

test('a model is moved on its level', () => {
  expect(change(MODEL, { ...STOOD, x: 11.5 }, MARKED)).toEqual([['move', 3, 11.5, 4, 2, 90]]);
  expect(change(MODEL, { ...STOOD, facing: 0 }, MARKED)).toEqual([['move', 3, 10, 4, 2, 0]]);
});

test('a marker is set to a whole number', () => {
  expect(change(MODEL, STOOD, [{ ...MARKED[0]!, value: 0.4 }, MARKED[1]!])).toEqual([['mark', 3, 'tired', 0]]);
  expect(change(MODEL, STOOD, [MARKED[0]!, { ...MARKED[1]!, value: 0 }])).toEqual([['mark', 3, 'prone', 0]]);
});

test('both at once', () => expect(change(MODEL, { ...STOOD, y: 5 }, [{ ...MARKED[0]!, value: 3 }])).toHaveLength(2));

test('a missing number is no change', () => {
  expect(change(MODEL, { ...STOOD, x: null }, MARKED)).toEqual([]);
  expect(change(MODEL, { ...STOOD, x: NaN }, MARKED)).toEqual([]);
  expect(change(MODEL, { ...STOOD, x: 1 }, [{ ...MARKED[0]!, value: null }])).toEqual([]);
});
