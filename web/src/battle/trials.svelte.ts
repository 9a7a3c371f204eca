/** A battle that bots play on many times: the request, and the results. */

import { Following, workOf } from '../net/following.svelte';

export interface Chance {
  value: number;
  low: number;
  high: number;
}

export type Pair = [Chance, Chance];

export interface MomentTried {
  at: number | null;
  trials: number;
  won: Pair;
  drawn: number;
  stalled: number;
  score: Pair | null;
  losses: Pair | null;
}

export interface TrialsShown {
  done: number;
  of: number;
  is_running: boolean;
  players: [string, string];
  moments: MomentTried[];
  has_broken: boolean;
}

export type Bot = 'random' | 'script' | 'greedy';

export interface TrialsWanted {
  count: number;
  players: [Bot, Bot];
  ats?: number[];
}

export class Trying extends Following<TrialsShown> {
  constructor(battle: string, token: string) {
    super(workOf(battle, 'trials'), token);
  }
}

/** The win chance at a moment, and its change since the moment before. */
export interface Swing {
  at: number;
  /** The first side's chance; a draw counts as half for each. */
  chance: number;
  by: number;
}

/** The first side's chances along a battle, and the place of the greatest swing (-1: none). */
export function swings(moments: MomentTried[]): { curve: Swing[]; turning: number } {
  const curve: Swing[] = [];
  for (const { at, trials, won, drawn, stalled } of moments) {
    const over = trials - stalled;
    if (at === null || !over) continue;
    const chance = won[0].value + drawn / over / 2;
    curve.push({ at, chance, by: curve.length ? chance - curve.at(-1)!.chance : 0 });
  }
  const most = Math.max(0, ...curve.map((one) => Math.abs(one.by)));
  return { curve, turning: most > 0 ? curve.findIndex((one) => Math.abs(one.by) === most) : -1 };
}
