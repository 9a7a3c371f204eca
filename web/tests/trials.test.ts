import { describe, expect, test } from 'vitest';
import { beginnings } from '../src/battle/outcome';
import { swings, type MomentTried } from '../src/battle/trials.svelte';
import type { Frame, StandingShown } from '../src/net/wire';

const chance = (value: number) => ({ value, low: 0, high: 1 });

function tried(at: number | null, first: number, more: Partial<MomentTried> = {}): MomentTried {
  return { at, trials: 10, won: [chance(first), chance(1 - first)], drawn: 0, stalled: 0, score: null, losses: null, ...more };
}

describe('where a battle turned', () => {
  test('is where the chance moved most, in either direction', () => {
    const { curve, turning } = swings([tried(1, 0.5), tried(5, 0.6), tried(9, 0.2), tried(12, 0.3)]);
    expect(curve.map((one) => one.at)).toEqual([1, 5, 9, 12]);
    expect([turning, curve[2]!.by]).toEqual([2, expect.closeTo(-0.4)]);
  });

  test('is nowhere if nothing moved, or nothing is known', () => {
    expect(swings([tried(1, 0.5), tried(5, 0.5)]).turning).toBe(-1);
    expect(swings([])).toEqual({ curve: [], turning: -1 });
    expect(swings([tried(null, 0.5), tried(3, 0.4, { trials: 2, stalled: 2 })]).curve).toEqual([]);
  });

  test('a draw counts half, among the battles that came to an end', () => {
    expect(swings([tried(1, 0.5, { trials: 12, stalled: 2, drawn: 4 })]).curve[0]!.chance).toBeCloseTo(0.7);
  });
});

describe('the beginnings of turns', () => {
  const at = (place: number, length?: string, side = 0): Frame =>
    ({ at: place, lines: [], standing: length === undefined ? null : ({ title: '', side, lines: [], length } as StandingShown) }) as unknown as Frame;
  const start = { title: '', side: null, lines: [] } as StandingShown;

  test('come once each, by turn and side', () => {
    const frames = [at(1, 'Turn 1'), at(2), at(3, 'Turn 1'), at(4, 'Turn 1', 1), at(6, 'Turn 2', 0)];
    expect(beginnings({ standing: start, frames }).map((one) => [one.at, one.side])).toEqual([[1, 0], [4, 1], [6, 0]]);
  });

  test('are no more than the server takes', () => {
    const frames = Array.from({ length: 60 }, (_, n) => at(n, `Turn ${n}`));
    const found = beginnings({ standing: start, frames });
    expect(found).toHaveLength(24);
    expect([found[0]!.at, found.at(-1)!.at]).toEqual([0, 57]);
  });
});
