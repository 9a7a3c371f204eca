/** What the other side has turned down, and that Campale was renewed, until whoever it concerns has read that. */

import type { Spoken } from './wire';

const KEPT = 'campale.declined.';
const key = (battle: string, side: number) => `${KEPT}${battle}.${side}`;

export const read = {
  last(battle: string, side: number | null): number {
    return side === null ? 0 : Number(localStorage.getItem(key(battle, side)) ?? 0);
  },
  keep(battle: string, side: number | null, at: number): void {
    if (side !== null) localStorage.setItem(key(battle, side), String(at));
  },
};

/** The last of a side's proposals that was turned down after it read of any. */
export function declined(chat: Spoken[], side: number | null, since: number): Spoken | null {
  if (side === null) return null;
  return chat.findLast((line) => line.kind === 'declined' && line.of === side && line.at > since) ?? null;
}

/** What a side has not read yet, the earliest first: the last of its proposals that was turned down, the last renewal. */
export function unread(chat: Spoken[], side: number | null, since: number): Spoken | null {
  const renewed = side === null ? undefined : chat.findLast((line) => line.kind === 'renewed' && line.at > since);
  const found = [declined(chat, side, since), renewed ?? null].filter((line) => line !== null);
  return found.sort((one, other) => one.at - other.at)[0] ?? null;
}
