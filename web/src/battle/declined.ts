/** Proposals that the other side turned down, and upgrades of Campale, until the player concerned has read about them. */

import type { Spoken } from '../net/wire';

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

/** A side's last proposal that was turned down since it last read such a note. */
export function declined(chat: Spoken[], side: number | null, since: number): Spoken | null {
  if (side === null) return null;
  return chat.findLast((line) => line.kind === 'declined' && line.of === side && line.at > since) ?? null;
}

/** What a side has not read yet, earliest first: its last proposal that was turned down, and the last upgrade. */
export function unread(chat: Spoken[], side: number | null, since: number): Spoken | null {
  const renewed = side === null ? undefined : chat.findLast((line) => line.kind === 'renewed' && line.at > since);
  const found = [declined(chat, side, since), renewed ?? null].filter((line) => line !== null);
  return found.sort((one, other) => one.at - other.at)[0] ?? null;
}
