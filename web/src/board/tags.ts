/** Where the names of units stand: beneath or above them, clear of one another and of the bases of other units. */

import type { XY } from '../lib/geometry';

export interface Named {
  row: number;
  x: number;
  /** The line of the text beneath the unit, and above it. */
  y: number;
  above: number;
  text: string;
  isAsked: boolean;
  /** In pixels. */
  wide: number;
}

/** A text that stands where it is. */
export type Note = Pick<Named, 'x' | 'y' | 'text' | 'wide'>;

/** A base of a unit, as it appears. */
export interface Standing {
  unit: number;
  at: XY;
  r: number;
}

/** So many places are tried beneath a unit, and above it. */
const STEPS = 3;
/** How far apart names are that stand beneath one another, and how far they rise above and fall beneath their line. */
const HIGH = 17;
const RISE = 14;
const FALL = 2;
/** How much of a base has to be seen for it to count as seen. */
const SEEN = 0.7;

/**
 * Moves overlapping names off one another and off notes, those asked for first; a name without room loses its text unless
 * it is asked for.
 */
export function apart<T extends Named>(all: T[], bases: Standing[], pixel: number, notes: Note[] = []): T[] {
  const set: T[] = [];
  for (const one of all.toSorted((a, b) => Number(b.isAsked) - Number(a.isAsked))) {
    const free = one.text ? places(one, pixel).filter((y) => ![...notes, ...set].some((other) => meets(one, y, other, pixel))) : [one.y];
    const y = best(free, (place) => (one.text ? covered(one, place, bases, pixel) : 0));
    set.push(y === undefined && !one.isAsked ? { ...one, text: '' } : { ...one, y: y ?? one.y });
  }
  return set;
}

/** The nearest first: a name far off seems to be that of another unit. */
function places(one: Named, pixel: number): number[] {
  const further = Array.from({ length: STEPS }, (_, k) => k * HIGH * pixel);
  return further.flatMap((step) => [one.y + step, one.above - step]);
}

/** The first of the places with the least cost. */
function best(free: number[], cost: (y: number) => number): number | undefined {
  const costs = free.map(cost);
  return free[costs.indexOf(Math.min(...costs))];
}

function meets(one: Named, y: number, other: Note, pixel: number): boolean {
  const isBeside = Math.abs(other.x - one.x) >= ((other.wide + one.wide) / 2) * pixel;
  return other.text !== '' && !isBeside && Math.abs(other.y - y) < HIGH * pixel;
}

/** How many bases of other units a name would cover. */
function covered(one: Named, y: number, bases: Standing[], pixel: number): number {
  const covers = ({ unit, at: [x, down], r }: Standing) =>
    unit !== one.row &&
    Math.abs(x - one.x) < (one.wide / 2) * pixel + SEEN * r &&
    y - RISE * pixel < down + SEEN * r &&
    y + FALL * pixel > down - SEEN * r;
  return bases.filter(covers).length;
}
