import { expect, test } from 'vitest';
import { beyond, leaders } from '../src/marks/commanding';
import { stanceOf } from '../src/lib/geometry';
import type { ModelShown } from '../src/net/wire';

function model(row: number, unit: number, x: number, more: Partial<ModelShown> = {}): ModelShown {
  return { row, side: 0, unit, name: `m${row}`, kind: 'man', where: 'table', x, y: 10, shape: { radius: 0.5 }, ...more };
}

const command = { reach: 6, text: 'command 6', units: [1, 2] };
const models = [model(0, 0, 10, { command }), model(1, 1, 17), model(2, 1, 30), model(3, 2, 17.1), model(4, 2, 25)];

test('units without a model in reach are beyond it, edge to edge', () => {
  const place = (row: number) => stanceOf(models[row]);
  expect(beyond(models, models[0]!, place)).toEqual([3, 4]);
  const moved = (row: number) => (row === 3 ? { x: 17, y: 10, facing: 0 } : place(row));
  expect(beyond(models, models[0]!, moved)).toEqual([]);
});

test('a leader is shown when selected alone, or when he or a unit he leads is moved', () => {
  expect(leaders(models, [0], [])).toEqual([0]);
  expect(leaders(models, [0, 1], [])).toEqual([]);
  expect(leaders(models, [], [4])).toEqual([0]);
  expect(leaders(models, [1], [])).toEqual([]);
  expect(leaders([{ ...models[0]!, where: 'gone' }], [0], [])).toEqual([]);
});
