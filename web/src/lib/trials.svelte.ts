/** A battle played on many times by bots: asked for, followed while it goes on, stopped. */

import { call } from './api';

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

const PAUSE = 700;

export class Trying {
  shown = $state.raw<TrialsShown | null>(null);
  error = $state.raw<unknown>(null);
  private timer: ReturnType<typeof setTimeout> | undefined;
  private isClosed = false;

  constructor(
    readonly battle: string,
    readonly token: string,
  ) {}

  private get path(): string {
    return `/api/battles/${encodeURIComponent(this.battle)}/trials`;
  }

  begin = (wanted: TrialsWanted): Promise<void> => this.ask(this.path, wanted);
  stop = (): Promise<void> => this.ask(`${this.path}/stop`, {});

  /** What was asked for before, if anything was. */
  look = (): Promise<void> => this.ask(this.path);

  private async ask(path: string, body?: unknown): Promise<void> {
    clearTimeout(this.timer);
    this.error = null;
    try {
      const shown = await call<TrialsShown>(path, { token: this.token, body });
      this.shown = shown.of ? shown : null;
    } catch (caught) {
      this.error = caught;
    }
    if (!this.isClosed && !this.error && this.shown?.is_running) this.timer = setTimeout(() => void this.ask(this.path), PAUSE);
  }

  close(): void {
    this.isClosed = true;
    clearTimeout(this.timer);
  }
}

/** A win chance at a moment, and how far it moved from the one before. */
export interface Swing {
  at: number;
  /** Of the first side; half of what is drawn counts for each. */
  chance: number;
  by: number;
}

/** The chances of the first side along a battle, and the place of the greatest swing (-1: none). */
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
