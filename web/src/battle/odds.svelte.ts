/** The server's odds of one model against another. They are renewed when something changes. */

import type { Scene } from './battle.svelte';
import type { Forecast } from '../net/wire';

export class Odds {
  private told = $state.raw(new Map<string, Forecast[]>());
  private asked = new Set<string>();

  private late = $state.raw(new Set<string>());

  constructor(private readonly battle: Scene) {}

  /** Whether the server gave up because it would take too long. */
  isLate(row: number, target: number): boolean {
    return this.late.has(`${row} ${target}`);
  }

  /** The odds of everything that a model can do to another now; null until the server replies. */
  of(row: number, target: number): Forecast[] | null {
    return this.told.get(`${row} ${target}`) ?? null;
  }

  /** Asks the server, unless it was asked since the last change. */
  async ask(row: number, target: number): Promise<void> {
    const key = `${row} ${target}`;
    if (row < 0 || target < 0 || this.asked.has(key)) return;
    const asked = this.asked;
    asked.add(key);
    const reply = await this.battle.ask({ do: 'odds', model: row, target });
    if (reply?.is === 'forecasted' && reply.too_long) this.late = new Set([...this.late, key]);
    if (reply?.is === 'forecasted') this.told = new Map([...this.told, [key, reply.forecasts]]);
    else asked.delete(key);
  }

  /** Something has changed: the old odds stay until the new ones come. */
  forget(): void {
    this.asked = new Set();
  }
}

/** The numbers that deserve a bar: those between which nearly all of the probability lies. */
export function bars(chances: [number, number][], least = 0.001): [number, number][] {
  const [first, last] = [chances.findIndex(([, p]) => p >= least), chances.findLastIndex(([, p]) => p >= least)];
  return first < 0 ? chances : chances.slice(first, last + 1);
}

/** The probability of a number at least as great. */
export function atLeast(chances: [number, number][], number: number): number {
  return chances.reduce((sum, [one, p]) => (one >= number ? sum + p : sum), 0);
}
