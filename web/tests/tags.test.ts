import { expect, test } from 'vitest';
import { apart, type Named } from '../src/board/tags';

const named = (row: number, x: number, y: number, more: Partial<Named> = {}): Named => ({
  row,
  x,
  y,
  above: y - 60,
  text: `Unit ${row}`,
  isAsked: false,
  wide: 60,
  ...more,
});
const base = (unit: number, x: number, y: number) => ({ unit, at: [x, y] as [number, number], r: 10 });
const lines = (all: Named[], bases = [base(9, 900, 900)]) => apart(all, bases, 1).map(({ row, y, text }) => [row, text && y]);

test('a name stands beneath its unit, and above it where it would overlap another', () => {
  expect(lines([named(1, 100, 100), named(2, 120, 105), named(3, 300, 100)])).toEqual([[1, 100], [2, 45], [3, 100]]);
});

test('a name leaves the bases of other units to be seen, though not those of its own', () => {
  expect(lines([named(1, 100, 100)], [base(1, 100, 95)])).toEqual([[1, 100]]);
  expect(lines([named(1, 100, 100)], [base(2, 110, 92)])).toEqual([[1, 40]]);
  expect(lines([named(1, 100, 100)], [base(2, 110, 92), base(2, 90, 32)])).toEqual([[1, 117]]);
});

test('where every place covers some base, it takes the place that covers the fewest', () => {
  const crowd = [94, 94, 111, 111, 128, 34, 34, 17, 17, 0, 0].map((y) => ({ ...base(2, 100, y), r: 1 }));
  expect(lines([named(1, 100, 100)], crowd)).toEqual([[1, 134]]);
});

test('a name without room is left out, unless it is asked for', () => {
  const crowd = [100, 117, 134, 40, 23, 6].map((y, k) => named(k, 100, y));
  expect(lines([...crowd, named(7, 100, 100)]).at(-1)).toEqual([7, '']);
  expect(lines([...crowd, named(7, 100, 100, { isAsked: true })])[0]).toEqual([7, 100]);
});

test('a name moves off a note that stands where it would', () => {
  const note = { x: 110, y: 98, text: 'cannot follow', wide: 80 };
  const [one] = apart([named(1, 100, 100)], [base(9, 900, 900)], 1, [note]);
  expect(one?.y).toBe(40);
});
