import { describe, expect, test } from 'vitest';
import { inOrder, isOpening, likeness } from '../src/board/scenery';
import type { PieceShown } from '../src/net/wire';

const piece = (name: string, kind: string, height: number, z = 0): PieceShown => ({ name, title: name, kind, outline: [], z, height });

describe('pieces of terrain', () => {
  test.each([
    ['door', 'door'],
    ['window', 'window'],
    ['wooden-building', 'house'],
    ['wall', 'wall'],
  ])('of the kind %s look like a %s', (kind, like) => expect(likeness(kind)).toBe(like));

  test('are drawn from the ground up, doors and windows on what they open', () => {
    const laid = [piece('door', 'door', 2.5), piece('house', 'brick-building', 6), piece('window', 'window', 1, 4), piece('wall', 'wall', 1)];
    expect(laid.filter(isOpening).map((one) => one.name)).toEqual(['door', 'window']);
    expect(inOrder(laid).map((one) => one.name)).toEqual(['wall', 'house', 'door', 'window']);
  });
});
