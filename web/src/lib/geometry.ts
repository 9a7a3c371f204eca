/**
 * The geometry of previews: bases, gaps, lengths, rings. The server judges; this only draws what it would say.
 *
 * Lengths are in the unit of the table, y grows away from the near edge, a facing is in degrees clockwise from +y.
 * Circles are exact; an ellipse against anything but a circle is the outline of its `CORNERS` corners.
 */

import type { ModelShown, ShapeShown, TableShown } from '../net/wire';

export type XY = [number, number];

export interface Stance {
  x: number;
  y: number;
  facing: number;
}

/** A base in its place. */
export interface Body extends Stance {
  shape: ShapeShown;
}

/** Where a model stands; numbers that the server leaves out are 0. */
export function stanceOf(model: ModelShown | undefined): Stance {
  if (!model) return NOWHERE;
  const known = STANCES.get(model);
  if (known) return known;
  const found = { x: model.x ?? 0, y: model.y ?? 0, facing: model.facing ?? 0 };
  STANCES.set(model, found);
  return found;
}

const NOWHERE: Stance = { x: 0, y: 0, facing: 0 };
/** The same record of a model always has the same stance, so that nothing is redrawn for it. */
const STANCES = new WeakMap<ModelShown, Stance>();

export const TOLERANCE = 0.001;
const CORNERS = 128;

export function heading(facing: number): XY {
  const angle = (facing * Math.PI) / 180;
  return [Math.sin(angle), Math.cos(angle)];
}

export function facingTowards(from: XY, to: XY): number {
  return ((Math.atan2(to[0] - from[0], to[1] - from[1]) * 180) / Math.PI + 360) % 360;
}

/** Where a vehicle faces that has gone these points: along the last piece, or as it stands if it has gone nowhere. */
export function facingAlong(gone: XY[], standing: number): number {
  const [from, to] = [gone.at(-2), gone.at(-1)];
  return from && to && distance(from, to) > 0 ? facingTowards(from, to) : standing;
}

/** A point of a shape's own coordinates (+y forward) on the table. */
export function onGround([x, y]: XY, at: Stance): XY {
  const [aheadX, aheadY] = heading(at.facing);
  return [at.x + x * aheadY + y * aheadX, at.y - x * aheadX + y * aheadY];
}

function inOwn([x, y]: XY, at: Stance): XY {
  const [aheadX, aheadY] = heading(at.facing);
  const [dx, dy] = [x - at.x, y - at.y];
  return [dx * aheadY - dy * aheadX, dx * aheadX + dy * aheadY];
}

/** The radius of the circle about a shape's centre that contains all of it. */
export function bounding(shape: ShapeShown): number {
  if (shape.corners) return Math.max(...shape.corners.map(([x, y]) => Math.hypot(x, y)));
  return shape.half ? Math.max(...shape.half) : (shape.radius ?? 0);
}

/** How far a base reaches to either side of its way. */
export function halfWidth(shape: ShapeShown): number {
  return shape.corners ? Math.max(...shape.corners.map(([x]) => x)) : bounding(shape);
}

export function isRound(shape: ShapeShown): boolean {
  return !shape.half && !shape.corners;
}

/** The corners of a base in its own coordinates, counter-clockwise. */
export function corners(shape: ShapeShown, count = CORNERS): XY[] {
  if (shape.corners) return shape.corners;
  const [wide, deep] = shape.half ?? [shape.radius ?? 0, shape.radius ?? 0];
  return Array.from({ length: count }, (_, k) => {
    const turn = (2 * Math.PI * k) / count;
    return [wide * Math.cos(turn), deep * Math.sin(turn)];
  });
}

export function outline(body: Body, count = CORNERS): XY[] {
  return corners(body.shape, count).map((corner) => onGround(corner, body));
}

// ---------------------------------------------------------------- points and outlines

export function contains(polygon: XY[], x: number, y: number): boolean {
  let inside = false;
  for (let i = 0, j = polygon.length - 1; i < polygon.length; j = i++) {
    const [xi, yi] = polygon[i]!;
    const [xj, yj] = polygon[j]!;
    if (yi > y !== yj > y && x < ((xj - xi) * (y - yi)) / (yj - yi) + xi) inside = !inside;
  }
  return inside;
}

/** The point of a segment nearest to a point. */
export function foot([x, y]: XY, a: XY, b: XY): XY {
  const [dx, dy] = [b[0] - a[0], b[1] - a[1]];
  const square = dx * dx + dy * dy;
  const share = square > 0 ? Math.min(1, Math.max(0, ((x - a[0]) * dx + (y - a[1]) * dy) / square)) : 0;
  return [a[0] + share * dx, a[1] + share * dy];
}

/** The point of an outline nearest to a point. */
export function nearestOnEdge(polygon: XY[], point: XY, isClosed = true): XY {
  let best: XY = polygon[0] ?? point;
  let least = Infinity;
  const last = isClosed ? polygon.length : polygon.length - 1;
  for (let k = 0; k < last; k++) {
    const found = foot(point, polygon[k]!, polygon[(k + 1) % polygon.length]!);
    const off = distance(found, point);
    if (off < least) [best, least] = [found, off];
  }
  return best;
}

export function distance(a: XY, b: XY): number {
  return Math.hypot(a[0] - b[0], a[1] - b[1]);
}

/** The point of a base nearest to a point: the point itself when it lies inside. */
export function nearest(body: Body, point: XY): XY {
  if (isRound(body.shape)) {
    const off = distance(point, [body.x, body.y]);
    const share = off > 0 ? Math.min(1, (body.shape.radius ?? 0) / off) : 0;
    return [body.x + share * (point[0] - body.x), body.y + share * (point[1] - body.y)];
  }
  if (body.shape.half) return onGround(nearestOfEllipse(body.shape.half, inOwn(point, body)), body);
  const edges = outline(body);
  return contains(edges, ...point) ? point : nearestOnEdge(edges, point);
}

/** The point of an upright ellipse nearest to a point: the root of a falling function, by bisection. */
function nearestOfEllipse([wide, deep]: XY, [x, y]: XY): XY {
  if ((x / wide) ** 2 + (y / deep) ** 2 <= 1) return [x, y];
  let low = 0;
  let high = Math.max(wide, deep) * Math.hypot(x, y);
  for (let k = 0; k < 60; k++) {
    const t = (low + high) / 2;
    const off = ((wide * x) / (wide * wide + t)) ** 2 + ((deep * y) / (deep * deep + t)) ** 2;
    if (off > 1) low = t;
    else high = t;
  }
  return [(wide * wide * x) / (wide * wide + high), (deep * deep * y) / (deep * deep + high)];
}

export function gapToPoint(body: Body, point: XY): number {
  return distance(nearest(body, point), point);
}

// ---------------------------------------------------------------- two bases

/** The distance in plan between the edges of two bases: 0 when they touch or overlap. */
export function gap(a: Body, b: Body): number {
  if (isRound(a.shape)) return Math.max(0, gapToPoint(b, [a.x, a.y]) - (a.shape.radius ?? 0));
  if (isRound(b.shape)) return gap(b, a);
  return distance(...nearestPair(a, b));
}

/** The nearest points of two bases: a ruler lies between them. */
export function nearestPair(a: Body, b: Body): [XY, XY] {
  if (isRound(a.shape)) {
    const there = nearest(b, [a.x, a.y]);
    const here = nearest(a, there);
    return distance(there, [a.x, a.y]) <= (a.shape.radius ?? 0) ? [there, there] : [here, there];
  }
  if (isRound(b.shape)) {
    const [there, here] = nearestPair(b, a);
    return [here, there];
  }
  return nearestOfPolygons(outline(a), outline(b));
}

function nearestOfPolygons(one: XY[], other: XY[]): [XY, XY] {
  let best: [XY, XY] = [one[0]!, other[0]!];
  let least = Infinity;
  const keep = (here: XY, there: XY) => {
    const off = distance(here, there);
    if (off < least) [best, least] = [[here, there], off];
  };
  for (const corner of one) keep(corner, contains(other, ...corner) ? corner : nearestOnEdge(other, corner));
  for (const corner of other) keep(contains(one, ...corner) ? corner : nearestOnEdge(one, corner), corner);
  return least > 0 ? crossing(one, other, best) : best;
}

/** The crossing of two outlines if no corner of one lies in the other; else the pair found before. */
function crossing(one: XY[], other: XY[], found: [XY, XY]): [XY, XY] {
  for (let i = 0; i < one.length; i++) {
    for (let j = 0; j < other.length; j++) {
      const meets = cut(one[i]!, one[(i + 1) % one.length]!, other[j]!, other[(j + 1) % other.length]!);
      if (meets) return [meets, meets];
    }
  }
  return found;
}

function cut(a: XY, b: XY, c: XY, d: XY): XY | null {
  const [ux, uy, vx, vy] = [b[0] - a[0], b[1] - a[1], d[0] - c[0], d[1] - c[1]];
  const turn = ux * vy - uy * vx;
  if (turn === 0) return null;
  const s = ((c[0] - a[0]) * vy - (c[1] - a[1]) * vx) / turn;
  const t = ((c[0] - a[0]) * uy - (c[1] - a[1]) * ux) / turn;
  return s >= 0 && s <= 1 && t >= 0 && t <= 1 ? [a[0] + s * ux, a[1] + s * uy] : null;
}

/** Whether two bases overlap by more than the tolerance of the table. */
export function overlaps(a: Body, b: Body): boolean {
  if (distance([a.x, a.y], [b.x, b.y]) > bounding(a.shape) + bounding(b.shape)) return false;
  return gap({ ...a, shape: shrunk(a.shape) }, { ...b, shape: shrunk(b.shape) }) <= 0;
}

function shrunk(shape: ShapeShown): ShapeShown {
  const by = TOLERANCE / 2;
  if (shape.half) return { ...shape, half: [shape.half[0] - by, shape.half[1] - by] };
  if (!shape.corners) return { ...shape, radius: (shape.radius ?? 0) - by };
  const share = 1 - by / bounding(shape);
  return { ...shape, corners: shape.corners.map(([x, y]) => [x * share, y * share]) };
}

/** The least x, least y, greatest x and greatest y of a base. */
export function extent(body: Body): [number, number, number, number] {
  if (isRound(body.shape)) {
    const r = body.shape.radius ?? 0;
    return [body.x - r, body.y - r, body.x + r, body.y + r];
  }
  const points = outline(body);
  const [xs, ys] = [points.map((p) => p[0]), points.map((p) => p[1])];
  return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
}

/** Whether all of a base is within [x0, y0, x1, y1], edges included. */
export function isWithin(body: Body, [west, south, east, north]: number[]): boolean {
  const [x0, y0, x1, y1] = extent(body);
  const by = TOLERANCE;
  return x0 >= west! - by && y0 >= south! - by && x1 <= east! + by && y1 <= north! + by;
}

export function isOnTable(body: Body, table: TableShown): boolean {
  return isWithin(body, [0, 0, table.width, table.depth]);
}

// ---------------------------------------------------------------- ways

export function pathLength(points: XY[]): number {
  let length = 0;
  for (let k = 1; k < points.length; k++) length += distance(points[k - 1]!, points[k]!);
  return length;
}

/** The point at a length along a way: its end if the way is shorter. */
export function pointAlong(points: XY[], length: number): XY {
  let left = length;
  for (let k = 1; k < points.length; k++) {
    const [a, b] = [points[k - 1]!, points[k]!];
    const step = distance(a, b);
    if (left <= step && step > 0) return [a[0] + ((b[0] - a[0]) * left) / step, a[1] + ((b[1] - a[1]) * left) / step];
    left -= step;
  }
  return points.at(-1) ?? [0, 0];
}

/** How far along a way its point nearest to a point lies. */
export function lengthAt(points: XY[], point: XY): number {
  let [best, least, walked] = [0, Infinity, 0];
  for (let k = 1; k < points.length; k++) {
    const [a, b] = [points[k - 1]!, points[k]!];
    const found = foot(point, a, b);
    const off = distance(found, point);
    if (off < least) [best, least] = [walked + distance(a, found), off];
    walked += distance(a, b);
  }
  return best;
}

// ---------------------------------------------------------------- coherency

export interface Link {
  from: number;
  to: number;
  gap: number;
}

/** Which bases are linked: the pairs whose edges are no farther apart than a distance. */
export function links(bodies: Body[], reach: number): Link[] {
  const found: Link[] = [];
  bodies.forEach((a, from) => {
    for (let to = from + 1; to < bodies.length; to++) {
      const b = bodies[to]!;
      const round = distance([a.x, a.y], [b.x, b.y]) - bounding(a.shape) - bounding(b.shape);
      if (round > reach + TOLERANCE) continue;
      const off = gap(a, b);
      if (off <= reach + TOLERANCE) found.push({ from, to, gap: off });
    }
  });
  return found;
}

/** The groups that links make of so many bases, largest first. */
export function groups(count: number, linked: Link[]): number[][] {
  const group = Array.from({ length: count }, (_, k) => k);
  const root = (k: number): number => (group[k] === k ? k : (group[k] = root(group[k]!)));
  for (const { from, to } of linked) group[root(from)] = root(to);
  const found = new Map<number, number[]>();
  for (let k = 0; k < count; k++) found.set(root(k), [...(found.get(root(k)) ?? []), k]);
  return [...found.values()].sort((a, b) => b.length - a.length);
}

/** The shortest links that hold the bases together: a tree, so that the picture stays clear. */
export function tree(count: number, linked: Link[]): Link[] {
  const kept: Link[] = [];
  const group = Array.from({ length: count }, (_, k) => k);
  const root = (k: number): number => (group[k] === k ? k : (group[k] = root(group[k]!)));
  for (const link of [...linked].sort((a, b) => a.gap - b.gap)) {
    if (root(link.from) === root(link.to)) continue;
    group[root(link.from)] = root(link.to);
    kept.push(link);
  }
  return kept;
}

// ---------------------------------------------------------------- rings

/** The curve at a distance from the edge of a base, in the base's own coordinates: for a hull, round its convex hull. */
export function offset(shape: ShapeShown, reach: number, count = 96): XY[] {
  if (shape.corners) return offsetPolygon(convex(shape.corners), reach);
  if (!shape.half) return corners({ radius: (shape.radius ?? 0) + reach }, count);
  const [wide, deep] = shape.half;
  return Array.from({ length: count }, (_, k) => {
    const turn = (2 * Math.PI * k) / count;
    const [c, s] = [Math.cos(turn), Math.sin(turn)];
    const long = Math.hypot(c * deep, s * wide);
    return [wide * c + (reach * c * deep) / long, deep * s + (reach * s * wide) / long];
  });
}

function offsetPolygon(polygon: XY[], reach: number): XY[] {
  const found: XY[] = [];
  polygon.forEach((corner, k) => {
    const before = polygon[(k + polygon.length - 1) % polygon.length]!;
    const after = polygon[(k + 1) % polygon.length]!;
    const start = outward(before, corner);
    const end = outward(corner, after);
    const turn = (end - start + 2 * Math.PI) % (2 * Math.PI);
    for (let step = 0; step <= 8; step++) {
      const angle = start + (turn * step) / 8;
      found.push([corner[0] + reach * Math.cos(angle), corner[1] + reach * Math.sin(angle)]);
    }
  });
  return found;
}

/** The outward direction of a side of a counter-clockwise outline. */
function outward(a: XY, b: XY): number {
  return Math.atan2(a[0] - b[0], b[1] - a[1]);
}

/** The convex hull of points, counter-clockwise. */
export function convex(points: XY[]): XY[] {
  const sorted = [...points].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const half = (all: XY[]) => {
    const kept: XY[] = [];
    for (const p of all) {
      while (kept.length >= 2 && turning(kept.at(-2)!, kept.at(-1)!, p) <= 0) kept.pop();
      kept.push(p);
    }
    return kept.slice(0, -1);
  };
  return [...half(sorted), ...half(sorted.reverse())];
}

function turning(a: XY, b: XY, c: XY): number {
  return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

export function area(polygon: XY[]): number {
  let twice = 0;
  polygon.forEach(([x, y], k) => {
    const [nx, ny] = polygon[(k + 1) % polygon.length]!;
    twice += x * ny - nx * y;
  });
  return Math.abs(twice) / 2;
}

export function middle(points: XY[]): XY {
  const count = Math.max(1, points.length);
  return [points.reduce((sum, p) => sum + p[0], 0) / count, points.reduce((sum, p) => sum + p[1], 0) / count];
}

/** Places for so many bases about a point, in rows, slightly apart. */
export function formation(count: number, at: XY, apart: number): XY[] {
  const wide = Math.min(count, Math.max(1, Math.ceil(Math.sqrt(count * 2))));
  const deep = Math.ceil(count / wide);
  return Array.from({ length: count }, (_, k) => {
    const row = Math.floor(k / wide);
    const inRow = row === deep - 1 ? count - row * wide : wide;
    return [at[0] + ((k % wide) - (inRow - 1) / 2) * apart, at[1] + ((deep - 1) / 2 - row) * apart];
  });
}
