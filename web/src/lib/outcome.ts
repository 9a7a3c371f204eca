/** What a battle that is over came to: the score turn by turn, who was lost, the luckiest and the unluckiest roll. */

import type { LuckReport, ModelShown, Replay, Stroke, UnitShown } from './wire';

export interface Turn {
  title: string;
  score: [number, number];
}

export interface Losses {
  lost: number;
  of: number;
  /** Units of which nobody is left, and all. */
  units: [number, number];
}

/** The score at the end of each turn. */
export function turns({ standing, frames }: Pick<Replay, 'standing' | 'frames'>): Turn[] {
  const found: Turn[] = [];
  for (const now of [standing, ...frames.flatMap((frame) => frame.standing ?? [])]) {
    if (!now.score || !now.length) continue;
    const last = found.at(-1);
    if (last?.title === now.length) last.score = now.score;
    else found.push({ title: now.length, score: now.score });
  }
  return found;
}

const OUT = ['fallen', 'gone'];

export function losses(models: ModelShown[], units: UnitShown[], side: number): Losses {
  const own = models.filter((one) => one?.side === side);
  const isLost = (row: number) => OUT.includes(models[row]?.where ?? '');
  const had = units.filter((unit) => unit?.side === side && unit.models.length);
  const wiped = had.filter((unit) => unit.models.every(isLost));
  return { lost: own.filter((one) => isLost(one.row)).length, of: own.length, units: [wiped.length, had.length] };
}

/** Of the rolls that were least to be expected the first that went well, and the first that went badly. */
export function strokes({ strokes: all }: LuckReport): { best: Stroke | null; worst: Stroke | null } {
  const best = all.find((one) => one.got > one.expected) ?? null;
  return { best, worst: all.find((one) => one.got < one.expected) ?? null };
}
