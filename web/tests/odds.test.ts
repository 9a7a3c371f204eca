import { describe, expect, it } from 'vitest';
import { briefly, lossOf } from '../src/answers/whole';
import { atLeast, bars, Odds } from '../src/battle/odds.svelte';
import type { Scene } from '../src/battle/battle.svelte';
import type { Forecast } from '../src/net/wire';

const CHANCES: [number, number][] = [
  [0, 0.0001],
  [1, 0.25],
  [2, 0.5],
  [3, 0.2499],
];
const FORECAST: Forecast = { title: 'Rifle', stages: [{ title: 'Hits', mean: 1.9998, chances: CHANCES }] };

function scene(asked: unknown[]): Scene {
  const ask = (message: unknown) => {
    asked.push(message);
    return Promise.resolve({ is: 'forecasted', re: 1, forecasts: [FORECAST] });
  };
  return { ask } as unknown as Scene;
}

describe('odds', () => {
  it('leaves out numbers at either end that hardly ever come up', () => {
    expect(bars(CHANCES).map(([number]) => number)).toEqual([1, 2, 3]);
    expect(bars([[0, 1]])).toEqual([[0, 1]]);
    expect(bars([])).toEqual([]);
  });

  it('gives the probability of that many or more', () => {
    expect(atLeast(CHANCES, 2)).toBeCloseTo(0.7499);
    expect(atLeast(CHANCES, 4)).toBe(0);
  });

  it('gives the mean of the last stage, and nothing without one', () => {
    expect(lossOf(FORECAST)).toBe('avg 2 hits');
    expect(lossOf({ title: '', stages: [] })).toBe('');
  });

  it('tells the chance to lose a single model, and the wounds where it cannot be lost', () => {
    const stage = (title: string, ...chances: [number, number][]) => ({
      title,
      mean: chances.reduce((sum, [number, p]) => sum + number * p, 0),
      chances,
      is_main: title === 'Killed',
    });
    const wounds = stage('Wounds', [0, 0.25], [1, 0.5], [2, 0.25]);
    const shot = (...kills: [number, number][]): Forecast => ({ title: '', stages: [stage('Hits', [0, 0.5], [1, 0.5]), wounds, stage('Killed', ...kills)] });
    expect(lossOf(shot([0, 0.4], [1, 0.6]))).toBe('killed 60%');
    expect(lossOf(shot([0, 1], [1, 0]))).toBe('avg 1 wounds');
    expect(briefly(shot([0, 0.996], [1, 0.004]))).toBe('hits 50% · avg 1 wounds');
    const none = stage('Hits', [0, 1]);
    expect(lossOf({ title: '', stages: [none, stage('Killed', [0, 1])] })).toBe('killed 0%');
  });

  it('asks once until something has changed', async () => {
    const asked: unknown[] = [];
    const odds = new Odds(scene(asked));
    expect(odds.of(0, 5)).toBeNull();
    await odds.ask(0, 5);
    await odds.ask(0, 5);
    await odds.ask(-1, 5);
    expect(asked).toEqual([{ do: 'odds', model: 0, target: 5 }]);
    expect(odds.of(0, 5)).toEqual([FORECAST]);
    odds.forget();
    await odds.ask(0, 5);
    expect(asked).toHaveLength(2);
  });
});
