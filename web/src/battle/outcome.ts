/** The outcome of a finished battle: the score turn by turn, the losses, the luckiest and the unluckiest roll. */

import { isOut } from './units';
import type { LuckReport, ModelShown, Replay, Stroke, UnitShown } from '../net/wire';

export interface Turn {
  title: string;
  score: [number, number];
}

export interface Losses {
  lost: number;
  of: number;
  /** The units wiped out, and all units, as they were bought: a character counts apart, whomever it has joined. */
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

const MOST_MOMENTS = 24;

export interface Beginning {
  title: string;
  side: number | null;
  /** As in the address of a replay. */
  at: number;
}

/** The beginnings of the players' turns: as many as may be asked about, spread over the battle. */
export function beginnings({ standing, frames }: Pick<Replay, 'standing' | 'frames'>): Beginning[] {
  const found: Beginning[] = [];
  let before = standing;
  for (const { at, standing: now } of frames) {
    if (!now) continue;
    if (now.length && (now.length !== before.length || now.side !== before.side)) found.push({ title: now.length, side: now.side, at });
    before = now;
  }
  const step = Math.max(1, found.length / MOST_MOMENTS);
  return Array.from({ length: Math.min(found.length, MOST_MOMENTS) }, (_, n) => found[Math.floor(n * step)]!);
}

export function losses(models: ModelShown[], units: UnitShown[], side: number): Losses {
  const own = models.filter((one) => one?.side === side);
  const isLost = (row: number) => isOut(models[row]);
  const had = units.filter((unit) => unit?.side === side).map((unit) => own.filter((one) => (one.bought_with ?? one.unit) === unit.row));
  const fielded = had.filter((models) => models.length);
  const wiped = fielded.filter((models) => models.every((one) => isLost(one.row)));
  return { lost: own.filter((one) => isLost(one.row)).length, of: own.length, units: [wiped.length, fielded.length] };
}

/** Of the least likely rolls the first that went well, and the first that went badly. */
export function strokes({ strokes: all }: LuckReport): { best: Stroke | null; worst: Stroke | null } {
  const best = all.find((one) => one.got > one.expected) ?? null;
  return { best, worst: all.find((one) => one.got < one.expected) ?? null };
}
