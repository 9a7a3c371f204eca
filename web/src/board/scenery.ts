/** How pieces of terrain are drawn: a likeness for each kind, and details strewn over it, always the same. */

import { area, bounding, contains, distance, middle, nearestOnEdge, type XY } from '../lib/geometry';
import type { PieceShown } from '../net/wire';
import { disc, path } from './drawing';

export type Likeness =
  'door' | 'window' | 'trees' | 'ruin' | 'hut' | 'fort' | 'house' | 'hill' | 'water' | 'pit' | 'rubble' | 'wire' | 'wall' | 'rock' | 'plain';

const LIKENESSES: [RegExp, Likeness][] = [
  [/door|gate|hatch/, 'door'],
  [/window|loophole|slit/, 'window'],
  [/ruin/, 'ruin'],
  [/\bhut|tent|hide-|wooden-structure|shed/, 'hut'],
  [/emplacement|redoubt|bastion|fort|bunker|sandbag/, 'fort'],
  [/wall|bag|barricade|fence|bank|parapet|barrier|container|crate|pipe|emplacement|redoubt/, 'wall'],
  [/build|house|structure|bunker|tower|shrine|temple|block|platform|gantry|hut|shop|bastion|fort|shed|chapel/, 'house'],
  [/wood|forest|tree|jungle|copse|orchard|bush|scrub|hedge|crop/, 'trees'],
  [/wire|minefield|spike|trap|mine|stake/, 'wire'],
  [/pool|pond|water|river|lake|bog|mire|marsh|swamp|mud|lava|acid|stream|ford|ice/, 'water'],
  [/chasm|crater|trench|pit|hole|ravine|abyss/, 'pit'],
  [/rubble|debris|scree|wreck|dune|rough/, 'rubble'],
  [/hill|rise|ridge|slope|mound|plateau/, 'hill'],
  [/boulder|rock|stone|crystal|cliff|column|statue/, 'rock'],
];

export function likeness(kind: string): Likeness {
  return LIKENESSES.find(([named]) => named.test(kind.toLowerCase()))?.[1] ?? 'plain';
}

/** Whether a piece is a part of another one: a door or a window. */
export function isOpening(piece: PieceShown): boolean {
  return ['door', 'window'].includes(likeness(piece.kind));
}

/** The pieces from the ground up; doors and windows lie on the pieces that they open. */
export function inOrder(pieces: PieceShown[]): PieceShown[] {
  const last = (piece: PieceShown) => Number(isOpening(piece));
  return [...pieces].sort((a, b) => last(a) - last(b) || a.z + a.height - b.z - b.height);
}

export interface Strewn {
  under: string;
  over: string;
}

const NOTHING: Strewn = { under: '', over: '' };

/** The details on a piece, as two paths. `size` is an inch in units of the table. */
export function strewn(piece: PieceShown, depth: number, size: number): Strewn {
  const draw = { trees, rubble, hill, rock, house, hut: house, fort, pit: hill }[likeness(piece.kind) as 'trees'];
  return draw ? draw(piece.outline, depth, size) : NOTHING;
}

function trees(outline: XY[], depth: number, size: number): Strewn {
  const found = scattered(outline, 1.25 * size, 60);
  const crown = (share: number, lift: number) =>
    found
      .map(([x, y], k) => {
        const r = (0.62 + 0.3 * chance(k + 7)) * size * share;
        return disc(x - lift * r, depth - y - lift * r, r);
      })
      .join('');
  return { under: crown(1, 0), over: crown(0.55, 0.28) };
}

function rubble(outline: XY[], depth: number, size: number): Strewn {
  const stones = scattered(outline, 0.8 * size, 70).map(([x, y], k) =>
    stone(x, y, (0.14 + 0.24 * chance(k)) * size, k),
  );
  const half = Math.ceil(stones.length / 2);
  const drawn = (some: XY[][]) => some.map((one) => path(one, depth)).join('');
  return { under: drawn(stones.slice(0, half)), over: drawn(stones.slice(half)) };
}

function stone(x: number, y: number, r: number, seed: number): XY[] {
  return Array.from({ length: 5 }, (_, k): XY => {
    const turn = ((k + 0.6 * chance(seed * 5 + k)) * 2 * Math.PI) / 5;
    return [x + r * Math.cos(turn), y + r * Math.sin(turn)];
  });
}

function hill(outline: XY[], depth: number): Strewn {
  return { under: path(towards(outline, 0.72), depth), over: path(towards(outline, 0.42), depth) };
}

function rock(outline: XY[], depth: number): Strewn {
  const top = towards(outline, 0.5).map(([x, y], k): XY => [x + 0.05 * chance(k), y + 0.05 * chance(k + 3)]);
  const edges = outline.map((corner, k) => path([corner, top[k]!], depth, false)).join('');
  return { under: edges, over: path(top, depth) };
}

/** A roof: its ridge along the longer way of the house, and its hips. */
function house(outline: XY[], depth: number): Strewn {
  const [first, second, third] = outline;
  if (outline.length !== 4 || !first || !second || !third) return rock(outline, depth);
  const isLong = distance(first, second) >= distance(second, third);
  const [a, b, c, d] = (isLong ? outline : [...outline.slice(1), first]) as [XY, XY, XY, XY];
  const short = distance(b, c) / 2 / Math.max(distance(a, b), 0.001);
  const [left, right] = [middle([a, d]), middle([b, c])];
  const on = (share: number): XY => [left[0] + (right[0] - left[0]) * share, left[1] + (right[1] - left[1]) * share];
  const [from, to] = [on(short), on(1 - short)];
  return { under: path([c, d, from, to], depth), over: path([a, b, to, from], depth) };
}

/** Merlons along the edge, and the walk behind them. */
function fort(outline: XY[], depth: number, size: number): Strewn {
  const [x, y] = middle(outline);
  const merlons = outline.flatMap((from, k) => {
    const to = outline[(k + 1) % outline.length]!;
    const many = Math.max(1, Math.floor(distance(from, to) / (1.2 * size)));
    return Array.from({ length: many }, (_, n): XY[] => {
      const at = (share: number, inward: number): XY => {
        const [px, py] = [from[0] + (to[0] - from[0]) * share, from[1] + (to[1] - from[1]) * share];
        const far = distance([px, py], [x, y]) || 1;
        return [px + ((x - px) / far) * inward, py + ((y - py) / far) * inward];
      };
      const [a, b] = [(n + 0.2) / many, (n + 0.75) / many];
      return [at(a, 0), at(b, 0), at(b, 0.4 * size), at(a, 0.4 * size)];
    });
  });
  return { under: path(towards(outline, 0.8), depth), over: merlons.map((one) => path(one, depth)).join('') };
}

/** An outline shrunk towards its middle. */
function towards(outline: XY[], share: number): XY[] {
  const [x, y] = middle(outline);
  return outline.map(([px, py]) => [x + (px - x) * share, y + (py - y) * share]);
}

/** Points inside an outline, no two closer than `apart`. */
function scattered(outline: XY[], apart: number, most: number): XY[] {
  const [cx, cy] = middle(outline);
  const reach = bounding({ corners: outline.map(([x, y]) => [x - cx, y - cy]) });
  const found: XY[] = [];
  const seed = Math.round(cx * 31 + cy * 17);
  const wanted = Math.min(most, Math.ceil(area(outline) / (apart * apart)));
  for (let k = 0; k < wanted * 12 && found.length < wanted; k++) {
    const x = cx + reach * (2 * chance(seed + k * 2) - 1);
    const y = cy + reach * (2 * chance(seed + k * 2 + 1) - 1);
    if (
      contains(outline, x, y) &&
      distance(nearestOnEdge(outline, [x, y]), [x, y]) > apart * 0.45 &&
      found.every((other) => distance(other, [x, y]) >= apart * 0.8)
    )
      found.push([x, y]);
  }
  return found;
}

/** A number from 0 to 1 that looks random and is always the same. */
function chance(seed: number): number {
  const wild = Math.sin(seed * 127.1 + 311.7) * 43758.5453;
  return wild - Math.floor(wild);
}
