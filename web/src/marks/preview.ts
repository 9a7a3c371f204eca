/** A move in the making as it looks before the server judges it: lengths, overlaps, links. */

import type { Moved } from '../battle/draft.svelte';
import {
  type Body,
  distance,
  gap,
  groups,
  isOnTable,
  isWithin,
  type Link,
  links,
  nearestPair,
  overlaps,
  pathLength,
  type Stance,
  stanceOf,
  tree,
  type XY,
} from '../lib/geometry';
import type { ModelShown, Plain, TableShown } from '../net/wire';

export type Problem = 'overlap' | 'off' | 'outside' | 'enemy' | 'apart';

export interface Way {
  row: number;
  points: XY[];
  length: number;
  isOver: boolean;
}

export interface Fault {
  row: number;
  at: XY;
  problem: Problem;
}

export interface Preview {
  ways: Way[];
  faults: Fault[];
  /** The lines that hold the unit together, and the lines missing to do so. */
  linked: [XY, XY][];
  broken: [XY, XY][];
  limit: number | null;
  longest: number;
  /** How far a model goes without lengthening the move (a run), if the book tells it. */
  usual: number | null;
  /** How far the models turn, and how far they may; null if it does not matter. */
  turned: { by: number; most: number } | null;
}

export interface Limits {
  limit: number | null;
  usual: number | null;
  turn: number | null;
  link: number | null;
  clear: number | null;
  area: number[] | null;
}

export function limitsOf(shown: { [key: string]: Plain } = {}): Limits {
  const number = (key: string) => (typeof shown[key] === 'number' ? shown[key] : null);
  const area = shown.area ?? shown.zone;
  const isArea = Array.isArray(area) && area.length === 4 && area.every((one) => typeof one === 'number');
  return {
    limit: number('allowance'),
    usual: number('usual'),
    turn: number('turn'),
    link: number('coherency'),
    clear: number('clear_of_enemies'),
    area: isArea ? (area as number[]) : null,
  };
}

/** The ways of the moved models to where they are now. `ends` has the ends of those that were moved. */
export function preview(
  models: ModelShown[],
  moved: Moved[],
  ends: Map<number, Stance>,
  dragged: Map<number, Stance>,
  limits: Limits,
  table: TableShown,
): Preview {
  const ways = moved.flatMap((one) => way(one, dragged.get(one.row), limits.limit) ?? []);
  const bodies = moved.flatMap((one) => body(models[one.row], ends.get(one.row)) ?? []);
  const rows = moved.filter((one) => models[one.row]?.shape && ends.get(one.row)).map((one) => one.row);
  const touched = rows.map(
    (row) => ways.some((one) => one.row === row) || moved.find((one) => one.row === row)?.start === null,
  );
  const others = models.filter((one) => one?.where === 'table' && one.shape && !rows.includes(one.row));
  const side = models[rows[0] ?? -1]?.side;
  const faults = bodies.flatMap((one, k) =>
    touched[k] ? faultOf(one, rows[k]!, k, bodies, others, limits, table, side) : [],
  );
  const { linked, broken, loose } = limits.link === null || bodies.length < 2 ? NONE : coherency(bodies, limits.link);
  if (ways.length)
    faults.push(...loose.map((k): Fault => ({ row: rows[k]!, at: [bodies[k]!.x, bodies[k]!.y], problem: 'apart' })));
  const longest = Math.max(0, ...ways.map((one) => one.length));
  const turned = limits.turn ? { by: Math.max(0, ...moved.map((one) => turnOf(one, ends))), most: limits.turn } : null;
  return { ways, faults, linked, broken, limit: limits.limit, longest, usual: limits.usual, turned };
}

/** The whole turn of a model in degrees, the shorter way round. */
function turnOf(one: Moved, ends: Map<number, Stance>): number {
  const facing = ends.get(one.row)?.facing ?? one.facing;
  return one.start && facing !== null ? Math.abs(((facing - one.start.facing + 540) % 360) - 180) : 0;
}

const NONE = { linked: [], broken: [], loose: [] };

function body(model: ModelShown | undefined, at: Stance | undefined): Body | null {
  return model?.shape && at ? { ...at, shape: model.shape } : null;
}

function way(one: Moved, now: Stance | undefined, limit: number | null): Way | null {
  if (!one.start || (!one.points.length && !now)) return null;
  const points: XY[] = [[one.start.x, one.start.y], ...one.points];
  if (now) {
    const isDrawn = one.points.length > 0 && distance(points.at(-1)!, [now.x, now.y]) < 0.001;
    if (!isDrawn) points.splice(Math.max(1, points.length - 1), 1, [now.x, now.y]);
  }
  const length = pathLength(points);
  return length > 0 ? { row: one.row, points, length, isOver: limit !== null && length > limit + 0.001 } : null;
}

function faultOf(
  one: Body,
  row: number,
  place: number,
  own: Body[],
  others: ModelShown[],
  limits: Limits,
  table: TableShown,
  side: number | undefined,
): Fault[] {
  const at: XY = [one.x, one.y];
  if (!isOnTable(one, table)) return [{ row, at, problem: 'off' }];
  if (limits.area && !isWithin(one, limits.area)) return [{ row, at, problem: 'outside' }];
  const standing = others.map((other): Body => ({ ...stanceOf(other), shape: other.shape! }));
  if (standing.some((other) => overlaps(one, other)) || own.some((other, k) => k !== place && overlaps(one, other))) {
    return [{ row, at, problem: 'overlap' }];
  }
  const near = others.findIndex(
    (other, k) => other.side !== side && limits.clear !== null && gap(one, standing[k]!) < limits.clear - 0.001,
  );
  return near < 0 ? [] : [{ row, at: nearestPair(one, standing[near]!)[0], problem: 'enemy' }];
}

/** The links of a unit and, if it falls apart, the lines that would join its parts to the largest. */
export function coherency(bodies: Body[], reach: number): { linked: [XY, XY][]; broken: [XY, XY][]; loose: number[] } {
  const found = links(bodies, reach);
  const [main = [], ...parts] = groups(bodies.length, found);
  const at = (k: number): XY => [bodies[k]!.x, bodies[k]!.y];
  const line = ({ from, to }: Link): [XY, XY] => [at(from), at(to)];
  const broken = parts.map((part): [XY, XY] => {
    const pairs = part.flatMap((one) => main.map((other) => [one, other] as const));
    const [one, other] = pairs.reduce((a, b) => (distance(at(a[0]), at(a[1])) <= distance(at(b[0]), at(b[1])) ? a : b));
    return nearestPair(bodies[one]!, bodies[other]!);
  });
  return { linked: tree(bodies.length, found).map(line), broken, loose: parts.flat() };
}
