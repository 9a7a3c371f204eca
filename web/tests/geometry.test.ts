import { describe, expect, test } from 'vitest';
import * as geometry from '../src/lib/geometry';
import type { Body, XY } from '../src/lib/geometry';
import vectors from './vectors.json';

const held = vectors as unknown as {
  table: XY;
  pairs: { a: Body; b: Body; gap: number; overlaps: boolean }[];
  points: { a: Body; point: XY; gap: number; facing: number; on_table: boolean }[];
  ways: { points: XY[]; length: number }[];
  units: { places: XY[]; radius: number; reach: number; is_together: boolean }[];
};

/** The allowed error for two round shapes of which one is an ellipse: outlines stand for them here. */
const PREVIEW = 0.002;

const isExact = ({ a, b }: { a: Body; b: Body }) =>
  geometry.isRound(a.shape) || geometry.isRound(b.shape) || Boolean(a.shape.corners && b.shape.corners);

describe('as the table measures', () => {
  test.each(held.pairs)('the gap of a pair', (pair) => {
    expect(Math.abs(geometry.gap(pair.a, pair.b) - pair.gap)).toBeLessThan(isExact(pair) ? 1e-6 : PREVIEW);
    expect(geometry.gap(pair.b, pair.a)).toBeCloseTo(geometry.gap(pair.a, pair.b), 9);
  });

  test.each(held.pairs)('overlaps of a pair', ({ a, b, overlaps }) => {
    expect(geometry.overlaps(a, b)).toBe(overlaps);
  });

  test.each(held.pairs)('the ends of a ruler lie on both bases', ({ a, b, gap }) => {
    const [here, there] = geometry.nearestPair(a, b);
    expect(Math.abs(geometry.distance(here, there) - gap)).toBeLessThan(PREVIEW);
    expect(geometry.gapToPoint(a, here)).toBeLessThan(PREVIEW);
    expect(geometry.gapToPoint(b, there)).toBeLessThan(PREVIEW);
  });

  test.each(held.points)('a point and a base', ({ a, point, gap, facing, on_table }) => {
    expect(geometry.gapToPoint(a, point)).toBeCloseTo(gap, 6);
    expect(geometry.facingTowards([a.x, a.y], point)).toBeCloseTo(facing, 3);
    expect(geometry.isWithin(a, [0, 0, ...held.table])).toBe(on_table);
  });

  test.each(held.ways)('the length of a way', ({ points, length }) => {
    expect(geometry.pathLength(points)).toBeCloseTo(length, 9);
    expect(geometry.distance(geometry.pointAlong(points, length / 2), points[0]!)).toBeLessThanOrEqual(
      length / 2 + 1e-9,
    );
    expect(geometry.lengthAt(points, points.at(-1)!)).toBeCloseTo(length, 6);
  });

  test.each(held.units)('whether a unit is in coherency', ({ places, radius, reach, is_together }) => {
    const bodies = places.map(([x, y]): Body => ({ x, y, facing: 0, shape: { radius } }));
    const linked = geometry.links(bodies, reach);
    expect(geometry.groups(bodies.length, linked).length === 1).toBe(is_together);
    if (is_together) expect(geometry.tree(bodies.length, linked)).toHaveLength(bodies.length - 1);
  });
});

describe('where a vehicle faces on its way', () => {
  test('along the last piece that it has gone', () =>
    expect(geometry.facingAlong([[0, 0], [0, 5], [3, 5]], 45)).toBeCloseTo(90, 9));

  test.each<[[number, number][]]>([[[[2, 3], [2, 3]]], [[[2, 3]]]])('as it stands if it has gone nowhere: %j', (gone) =>
    expect(geometry.facingAlong(gone, 45)).toBe(45));
});

describe('rings', () => {
  const shapes = [
    { radius: 0.5 },
    { half: [1, 1.75] as XY },
    {
      corners: [
        [-1.5, -2.5],
        [1.5, -2.5],
        [1.5, 2.5],
        [-1.5, 2.5],
      ] as XY[],
    },
  ];

  test.each(shapes)('every point of a ring lies at the ring’s distance from the edge', (shape) => {
    const body = { x: 3, y: 4, facing: 30, shape };
    for (const point of geometry.offset(shape, 6)) {
      expect(geometry.gapToPoint(body, geometry.onGround(point, body))).toBeCloseTo(6, 5);
    }
  });

  test('a concave hull has the ring of its convex hull', () => {
    const hollow: XY[] = [
      [-1, -1],
      [1, -1],
      [1, 1],
      [0, 0],
      [-1, 1],
    ];
    expect(geometry.convex(hollow)).toHaveLength(4);
  });

  test('a facing is clockwise from the far edge', () => {
    expect(geometry.onGround([0, 1], { x: 0, y: 0, facing: 90 })[0]).toBeCloseTo(1);
    expect(geometry.onGround([1, 0], { x: 0, y: 0, facing: 90 })[1]).toBeCloseTo(-1);
  });
});

test('a formation keeps bases apart', () => {
  const places = geometry.formation(7, [10, 10], 1.1);
  for (const [k, one] of places.entries())
    for (const other of places.slice(k + 1)) expect(geometry.distance(one, other)).toBeGreaterThan(1.09);
  expect(geometry.middle(places)[0]).toBeCloseTo(10, 1);
});
