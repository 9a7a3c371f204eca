/** Models being set down or moved: what the board edits, and the resulting answer. */

import { contains, facingTowards } from '../lib/geometry';
import type { ModelShown, PieceShown, Plain, Sheet } from '../net/wire';

export type XY = [number, number];

export interface Standing {
  x: number;
  y: number;
  facing: number;
}

/** A model of a place or move question: the points after its start; a place has at most one. */
export interface Moved {
  row: number;
  start: Standing | null;
  points: XY[];
  facing: number | null;
  isSet: boolean;
  /** The heights of its points, if they have any. */
  heights?: (number | null)[];
  /** Whether it ends facing along its way, unless it is turned. */
  drives?: boolean;
}

export type Wish = [number, number, number, number | null];

/** Where a model ends. */
export function endOf(one: Moved): Standing | null {
  const last = one.points.at(-1);
  const facing = one.facing ?? along(one) ?? one.start?.facing ?? 0;
  if (last) return { x: last[0], y: last[1], facing };
  return one.start ? { ...one.start, facing } : null;
}

/** The direction of the last piece of the way of a model that drives. */
function along(one: Moved): number | null {
  const [before, last] = [one.points.at(-2) ?? (one.start && [one.start.x, one.start.y]), one.points.at(-1)];
  if (!one.drives || !before || !last || distance(before as XY, last) === 0) return null;
  return Math.round(facingTowards(before as XY, last));
}

/** The model with other points; the points that it already had keep their heights. */
export function through(one: Moved, points: XY[]): Moved {
  const heights = points.map(([x, y]) => {
    const before = one.points.findIndex((point) => point[0] === x && point[1] === y);
    return one.heights?.[before] ?? null;
  });
  return { ...one, points, heights, isSet: true };
}

/** The model with its end at a height, or (null) without one. */
export function lifted(one: Moved, height: number | null): Moved {
  const points: XY[] = one.points.length || !one.start ? one.points : [[one.start.x, one.start.y]];
  const kept = through(one, points);
  return { ...kept, heights: kept.heights?.map((each, k) => (k === points.length - 1 ? height : each)) };
}

/** The height at which a model ends; null if the answer names none. */
export function heightOf(one: Moved): number | null {
  return one.heights?.[one.points.length - 1] ?? null;
}

/** The height at which a model ends: a point that names none keeps the level before it, or drops to the next below. */
export function levelOf(one: Moved, stood: number, pieces: Pick<PieceShown, 'floors'>[]): number {
  const floors = pieces.flatMap((piece) => piece.floors ?? []);
  return one.points.reduce((level, [x, y], k) => {
    const under = floors.filter((floor) => floor.z <= level + 0.001 && contains(floor.outline, x, y));
    return one.heights?.[k] ?? Math.max(0, ...under.map((floor) => floor.z));
  }, stood);
}

/** The length of the way from the start through all the points. */
export function lengthOf(one: Moved): number {
  const points: XY[] = one.start ? [[one.start.x, one.start.y], ...one.points] : one.points;
  return points.slice(1).reduce((sum, at, place) => sum + distance(at, points[place] ?? at), 0);
}

export function distance(a: XY, b: XY): number {
  return Math.hypot(a[0] - b[0], a[1] - b[1]);
}

/** The models of a question as they stand before it. */
export function standing(sheet: Sheet, models: ModelShown[]): Moved[] {
  return (sheet.models ?? []).map((row) => {
    const model = models[row];
    const isOnTable = model?.where === 'table';
    const start = isOnTable ? { x: model.x ?? 0, y: model.y ?? 0, facing: model.facing ?? 0 } : null;
    const drives = sheet.shown?.drives === true ? { drives: true } : {};
    return { row, start, points: [], facing: null, isSet: sheet.kind === 'move', ...drives };
  });
}

/** The same models with an answer in place of the points they had. */
export function answered(moved: Moved[], sheet: Sheet, answer: Plain): Moved[] {
  const all = sheet.kind === 'place' || sheet.several ? answer : [answer];
  if (!Array.isArray(all) || all.length !== moved.length) return moved;
  return moved.map((one, place) => {
    const own = all[place] as Plain[];
    if (sheet.kind === 'place') {
      const [x, y, facing, z] = own as number[];
      return { ...one, points: [[x ?? 0, y ?? 0]], heights: [z ?? null], facing: facing ?? 0, isSet: true };
    }
    const [points, facing] = own as [number[][], number | null];
    const heights = points.map(([, , z]) => z ?? null);
    return { ...one, points: points.map(([x, y]): XY => [x ?? 0, y ?? 0]), heights, facing, isSet: true };
  });
}

/** The answer that the models make; undefined while some are not set down yet. */
export function answerOf(moved: Moved[], sheet: Sheet): Plain | undefined {
  if (moved.some((one) => !one.isSet)) return undefined;
  if (sheet.kind === 'place') {
    return moved.map((one) => {
      const [end, height] = [endOf(one), heightOf(one)];
      return end ? [end.x, end.y, end.facing, ...(height === null ? [] : [height])] : [];
    });
  }
  const ways = moved.map((one): Plain => [one.points.map((at, k) => raised(at, one.heights?.[k])), one.facing]);
  return sheet.several ? ways : (ways[0] ?? null);
}

function raised(at: XY, height: number | null | undefined): number[] {
  return height == null ? at : [...at, height];
}

export function isMoved(one: Moved): boolean {
  return one.points.length > 0 || one.facing !== null;
}

/** How much farther behind the foremost model one must fall before the board says so. */
const LAG = 0.1;

/** The models that end farther from their wanted places than the others: they could not follow. */
export function lagging(wish: Wish[], moved: Moved[]): number[] {
  const wanted = new Map(wish.map(([row, x, y]): [number, XY] => [row, [x, y]]));
  const short = moved.flatMap((one): [number, number][] => {
    const [goal, end] = [wanted.get(one.row), endOf(one)];
    return goal && end ? [[one.row, distance(goal, [end.x, end.y])]] : [];
  });
  const least = Math.min(...short.map(([, far]) => far));
  return short.filter(([, far]) => far > least + LAG).map(([row]) => row);
}

/** A direction in degrees clockwise from the far edge: a number, or a compass point in either language. */
export function direction(text: string): number | null {
  const word = text.trim().toLowerCase();
  if (/^-?\d+(?:[.,]\d+)?$/.test(word)) return Number(word.replace(',', '.'));
  return COMPASS[word] ?? null;
}

const COMPASS: Record<string, number> = {
  n: 0,
  ne: 45,
  e: 90,
  se: 135,
  s: 180,
  sw: 225,
  so: 225,
  w: 270,
  o: 270,
  nw: 315,
  no: 315,
};

export function rounded(value: number): number {
  return Math.round(value * 1000) / 1000;
}

/** All the models moved by a distance in one direction: a wish for the server's planner. */
export function shifted(moved: Moved[], far: number, degrees: number): Wish[] {
  const angle = (degrees * Math.PI) / 180;
  return moved.flatMap((one): Wish[] => {
    const from = one.start ?? endOf(one);
    if (!from) return [];
    return [[one.row, rounded(from.x + far * Math.sin(angle)), rounded(from.y + far * Math.cos(angle)), null]];
  });
}

/** All the models about a point, in the same arrangement. */
export function about(moved: Moved[], at: XY): Wish[] {
  const ends = moved.map((one) => endOf(one) ?? one.start);
  const known = ends.filter((end) => end !== null);
  const middle = (key: 'x' | 'y') => known.reduce((sum, end) => sum + end[key], 0) / Math.max(1, known.length);
  const [x, y] = [middle('x'), middle('y')];
  return moved.map((one, place): Wish => {
    const end = ends[place];
    return [one.row, rounded(at[0] + (end ? end.x - x : 0)), rounded(at[1] + (end ? end.y - y : 0)), null];
  });
}

export interface Formation {
  name: string;
  /** The gap between the bases; null: the usual one. */
  spacing: number | null;
}

export const FORMATIONS = ['line', 'two-ranks', 'block', 'wedge', 'loose'];

/** The middle of some points. */
export function centre(all: XY[]): XY {
  const mean = (key: 0 | 1) => all.reduce((sum, at) => sum + at[key], 0) / Math.max(1, all.length);
  return [mean(0), mean(1)];
}

/** Models that stand together, turned about their middle as one body, clockwise. */
export function swung(all: Map<number, Standing>, degrees: number): Map<number, Standing> {
  const [x, y] = centre([...all.values()].map((one): XY => [one.x, one.y]));
  const [sin, cos] = [Math.sin((degrees * Math.PI) / 180), Math.cos((degrees * Math.PI) / 180)];
  const turned = (one: Standing): Standing => ({
    x: rounded(x + (one.x - x) * cos + (one.y - y) * sin),
    y: rounded(y - (one.x - x) * sin + (one.y - y) * cos),
    facing: (one.facing + degrees + 360) % 360,
  });
  return new Map([...all].map(([row, one]) => [row, turned(one)]));
}

/** How far along a route the point nearest to a place lies. */
export function lengthAt(route: XY[], at: XY): number {
  let walked = 0;
  let best = { off: Infinity, length: 0 };
  route.slice(1).forEach((end, place) => {
    const start = route[place] ?? end;
    const far = distance(start, end);
    const dot = (at[0] - start[0]) * (end[0] - start[0]) + (at[1] - start[1]) * (end[1] - start[1]);
    const share = far ? Math.min(1, Math.max(0, dot / far ** 2)) : 0;
    const nearest: XY = [start[0] + (end[0] - start[0]) * share, start[1] + (end[1] - start[1]) * share];
    const off = distance(nearest, at);
    if (off < best.off) best = { off, length: walked + far * share };
    walked += far;
  });
  return rounded(best.length);
}

/** The length of a route. */
export function routeLength(route: XY[]): number {
  return route.slice(1).reduce((sum, at, place) => sum + distance(at, route[place] ?? at), 0);
}

/** How much of the budget the models have used: the longest way, and how far they may go. */
export function budget(moved: Moved[], sheet: Sheet): { used: number; allowance: number; usual: number | null } | null {
  const { allowance, usual } = sheet.shown ?? {};
  if (typeof allowance !== 'number') return null;
  return { used: Math.max(0, ...moved.map(lengthOf)), allowance, usual: typeof usual === 'number' ? usual : null };
}
