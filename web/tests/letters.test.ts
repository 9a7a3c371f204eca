import { expect, test } from 'vitest';
import { lettersFor } from '../src/answers/options';

const LETTERS = new Map([[3, 'A'], [4, 'B']]);
const unitOf = (row: number) => [0, 3, 3, 4][row];
const at = (...targets: number[]) => ({ key: 'x', text: 'x', targets });

test('a row carries the letters of its answer’s targets', () => {
  expect(lettersFor(at(1, 2), [3], LETTERS, unitOf)).toBe('A');
  expect(lettersFor(at(1, 3), undefined, LETTERS, unitOf)).toBe('AB');
});

test('if the answer names nobody, it carries those of the units that the field is about', () => {
  expect(lettersFor({ key: 'no', text: 'hold fire' }, [3], LETTERS, unitOf)).toBe('B');
  expect(lettersFor(undefined, [1], LETTERS, unitOf)).toBe('A');
});

test('a unit that is no target has no letter', () => {
  expect(lettersFor(at(0), [0], LETTERS, unitOf)).toBe('');
  expect(lettersFor(undefined, undefined, LETTERS, unitOf)).toBe('');
});
