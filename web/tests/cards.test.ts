import { describe, expect, it } from 'vitest';
import { handOf, holders, isPaid, pips } from '../src/parts/cards';
import type { HeldShown } from '../src/net/wire';

const pool = (side: number, count: number, of: number): HeldShown => ({ side, kind: 'resources', text: 'Ready', count, of });
const hand = (side: number): HeldShown => ({ side, kind: 'hand', text: 'Hand', count: 2, of: 5 });

describe('what the sides hold', () => {
  it('lists the viewer’s own side first', () => {
    const held = [pool(0, 3, 6), hand(0), pool(1, 8, 8)];
    expect(holders(held, 1).map((one) => one.side)).toEqual([1, 0]);
    expect(holders(held, null).map((one) => one.side)).toEqual([0, 1]);
    expect(holders(held, 0)[0]!.held).toHaveLength(2);
  });

  it('shows a pool as pips, and nothing else', () => {
    expect(pips(pool(0, 2, 3))).toEqual([true, true, false]);
    expect(pips(hand(0))).toEqual([]);
    expect(pips(pool(0, 2, 0))).toEqual([]);
  });

  it('finds the hand of a side, if its faces are visible', () => {
    const cards = [{ title: 'Smoke', cost: 1 }];
    expect(handOf([pool(0, 2, 6), { ...hand(0), cards }, hand(1)], 0)).toEqual(cards);
    expect(handOf([{ ...hand(0), cards }, hand(1)], 1)).toEqual([]);
    expect(handOf([{ ...hand(0), cards }], null)).toEqual([]);
  });

  it('knows which cards the pool pays for', () => {
    const [own] = holders([pool(0, 2, 6), hand(0)], 0);
    expect(isPaid({ title: 'Smoke', cost: 2 }, own!)).toBe(true);
    expect(isPaid({ title: 'Generator', cost: 3 }, own!)).toBe(false);
    expect(isPaid({ title: 'Smoke', cost: 9 }, { side: 0, held: [] })).toBe(true);
  });
});
