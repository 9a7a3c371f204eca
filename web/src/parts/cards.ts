/** What the sides hold, sorted for the page: the viewer's own first. */

import type { CardShown, HeldShown } from '../net/wire';

export interface Holder {
  side: number;
  held: HeldShown[];
}

/** By side, the viewer's own first. */
export function holders(held: HeldShown[], own: number | null): Holder[] {
  const sides = [...new Set(held.map((one) => one.side))].sort((a, b) => a - b);
  const first = own === null ? [] : sides.filter((side) => side === own);
  const ordered = [...first, ...sides.filter((side) => !first.includes(side))];
  return ordered.map((side) => ({ side, held: held.filter((one) => one.side === side) }));
}

/** The state of a pool as pips: true if ready. Empty if its size does not matter. */
export function pips(one: HeldShown): boolean[] {
  if (!one.of || one.cards?.length || one.kind !== 'resources') return [];
  return Array.from({ length: one.of }, (_, k) => k < one.count);
}

/** The cards of a side's hand whose faces the viewer sees. */
export function handOf(held: HeldShown[], side: number | null): CardShown[] {
  return held.find((one) => one.side === side && one.kind === 'hand')?.cards ?? [];
}

/** Whether the ready part of the side's pool pays for a card of its hand. */
export function isPaid(card: CardShown, holder: Holder): boolean {
  const pool = holder.held.find((one) => one.kind === 'resources');
  return !pool || (card.cost ?? 0) <= pool.count;
}
