/** What the sides hold, put in order for the page: one's own first. */

import type { CardShown, HeldShown } from '../lib/wire';

export interface Holder {
  side: number;
  held: HeldShown[];
}

/** By side, the own one before the other. */
export function holders(held: HeldShown[], own: number | null): Holder[] {
  const sides = [...new Set(held.map((one) => one.side))].sort((a, b) => a - b);
  const first = own === null ? [] : sides.filter((side) => side === own);
  const ordered = [...first, ...sides.filter((side) => !first.includes(side))];
  return ordered.map((side) => ({ side, held: held.filter((one) => one.side === side) }));
}

/** What is left of a pool, as pips: true for those that are ready. None where it does not matter of how many. */
export function pips(one: HeldShown): boolean[] {
  if (!one.of || one.cards?.length || one.kind !== 'resources') return [];
  return Array.from({ length: one.of }, (_, k) => k < one.count);
}

/** Whether what is ready of the side's pool pays for a card of its hand. */
export function isPaid(card: CardShown, holder: Holder): boolean {
  const pool = holder.held.find((one) => one.kind === 'resources');
  return !pool || (card.cost ?? 0) <= pool.count;
}
