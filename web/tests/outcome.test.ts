import { expect, test } from 'vitest';
import { losses, strokes, turns } from '../src/battle/outcome';
import { joined, unfinished } from '../src/lib/mine';
import type { ModelShown, StandingShown, Stroke, UnitShown } from '../src/net/wire';

const standing = (length: string, score?: [number, number]): StandingShown => ({ title: '', side: 0, lines: [], length, score });

test('the score of a turn is the score at its end', () => {
  const frames = [standing('Turn 1', [0, 0]), standing('Turn 1', [1, 0]), standing('Turn 2', [1, 4])];
  const told = turns({ standing: standing(''), frames: frames.map((one, at) => ({ at, standing: one })) });
  expect(told).toEqual([
    { title: 'Turn 1', score: [1, 0] },
    { title: 'Turn 2', score: [1, 4] },
  ]);
});

test('fallen models are lost, and a unit is once all its models are', () => {
  const model = (row: number, unit: number, where: string): ModelShown => ({ row, unit, side: 0, name: '', kind: '', where });
  const models = [model(0, 0, 'fallen'), model(1, 0, 'table'), model(2, 1, 'gone'), model(3, 1, 'fallen')];
  const units: UnitShown[] = [
    { row: 0, side: 0, name: '', models: [0, 1] },
    { row: 1, side: 0, name: '', models: [2, 3] },
    { row: 2, side: 0, name: '', models: [] },
  ];
  expect(losses(models, units, 0)).toEqual({ lost: 3, of: 4, units: [1, 2] });
});

test('a character that has joined a unit counts as the unit that it was bought as', () => {
  const model = (row: number, where: string, bought_with?: number): ModelShown => ({ row, unit: 0, side: 0, name: '', kind: '', where, bought_with });
  const units: UnitShown[] = [
    { row: 0, side: 0, name: '', models: [0, 1] },
    { row: 1, side: 0, name: '', models: [] },
  ];
  expect(losses([model(0, 'table'), model(1, 'fallen', 1)], units, 0).units).toEqual([1, 2]);
  expect(losses([model(0, 'fallen'), model(1, 'table', 1)], units, 0).units).toEqual([1, 2]);
  expect(losses([model(0, 'table'), model(1, 'table', 1)], units, 0).units).toEqual([0, 2]);
});

test('models that lie out of action are lost, too', () => {
  const model = (row: number, is_down: boolean): ModelShown => ({ row, unit: row, side: 0, name: '', kind: '', where: 'table', is_down });
  const units: UnitShown[] = [0, 1].map((row) => ({ row, side: 0, name: '', models: [row] }));
  expect(losses([model(0, true), model(1, false)], units, 0)).toEqual({ lost: 1, of: 2, units: [1, 2] });
});

test('the best and the worst roll are the first of the least likely ones', () => {
  const stroke = (got: number): Stroke => ({ side: 0, text: `${got}`, event: 0, expected: 2, got, chance: 0.1 });
  const told = strokes({ sides: [], kinds: [], strokes: [stroke(0), stroke(5), stroke(1)] });
  expect([told.best?.got, told.worst?.got]).toEqual([5, 0]);
  expect(strokes({ sides: [], kinds: [], strokes: [] })).toEqual({ best: null, worst: null });
});

test('the player goes on with the battle that waits, and with no finished one', () => {
  const battle = (id: string, stage: string, turn: number[], updated: number) => ({
    battle: id,
    side: 0,
    book: '',
    title: '',
    stage,
    whose_turn: turn,
    updated,
    is_counted: id === 'late',
  });
  const found = joined([battle('late', 'playing', [1], 9), battle('mine', 'playing', [0], 1), battle('old', 'over', [], 99)]);
  expect(unfinished(found)?.battle).toBe('mine');
  expect(found.filter((one) => one.is_counted).map((one) => one.battle)).toEqual(['late']);
  expect(unfinished(joined([battle('old', 'over', [], 1)]))).toBe(null);
});
