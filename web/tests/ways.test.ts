import { expect, test } from 'vitest';
import { answered, answerOf, endOf, heightOf, levelOf, lifted, through, type Moved } from '../src/answers/ways';
import type { Sheet } from '../src/net/wire';

const MOVE = { kind: 'move', several: true, models: [4] } as unknown as Sheet;
const PLACE = { kind: 'place', models: [4] } as unknown as Sheet;
const standing: Moved = { row: 4, start: { x: 1, y: 2, facing: 0 }, points: [], facing: null, isSet: true };

test('an answer keeps its heights', () => {
  const climb = [[[[3, 2], [3, 2, 4], [5, 2, 4]], null]];
  const moved = answered([standing], MOVE, climb);
  expect(heightOf(moved[0]!)).toBe(4);
  expect(answerOf(moved, MOVE)).toEqual(climb);
  const set = answered([{ ...standing, start: null }], PLACE, [[3, 2, 90, 8]]);
  expect(answerOf(set, PLACE)).toEqual([[3, 2, 90, 8]]);
  expect(answerOf(answered([standing], PLACE, [[3, 2, 90]]), PLACE)).toEqual([[3, 2, 90]]);
});

test('a moved point loses its height, the others keep theirs', () => {
  const [one] = answered([standing], MOVE, [[[[3, 2, 4], [5, 2, 4]], null]]);
  const other = through(one!, [
    [3, 2],
    [6, 2],
  ]);
  expect(other.heights).toEqual([4, null]);
});

test('a model goes up in its place, or at its end', () => {
  const up = lifted(standing, 4);
  expect(answerOf([up], MOVE)).toEqual([[[[1, 2, 4]], null]]);
  expect(endOf(up)).toEqual({ x: 1, y: 2, facing: 0 });
  const along = lifted(through(standing, [[3, 2]]), 8);
  expect(answerOf([along], MOVE)).toEqual([[[[3, 2, 8]], null]]);
  expect(answerOf([lifted(along, null)], MOVE)).toEqual([[[[3, 2]], null]]);
});

test('a model ends at the height that is named, on the level where it was, or on the next below', () => {
  const floor = { z: 4, outline: [[0, 0], [4, 0], [4, 4], [0, 4]] as [number, number][] };
  const pieces = [{ floors: [floor] }];
  const level = (points: number[][], stood: number) =>
    levelOf(answered([standing], MOVE, [[points, null]])[0]!, stood, pieces);
  expect(levelOf(standing, 4, pieces)).toBe(4);
  expect(level([[3, 2]], 4)).toBe(4);
  expect(level([[3, 2]], 0)).toBe(0);
  expect(level([[9, 2]], 4)).toBe(0);
  expect(level([[3, 2, 0], [3, 3]], 4)).toBe(0);
});

test('a model that drives ends facing along the last piece of its way, unless it is turned', () => {
  const points: Moved['points'] = [
    [1, 5],
    [4, 5],
  ];
  expect(endOf({ ...standing, points })?.facing).toBe(0);
  expect(endOf({ ...standing, points, drives: true })?.facing).toBe(90);
  expect(endOf({ ...standing, points, drives: true, facing: 200 })?.facing).toBe(200);
  expect(endOf({ ...standing, drives: true })?.facing).toBe(0);
});
