/** The battles in which this browser has a seat, as the home page lists them. */

import type { MyBattle } from '../net/api';

export interface Sat extends MyBattle {
  isMine: boolean;
}

/** Two seats at one page make one battle; battles that wait for this player come first. */
export function joined(found: MyBattle[]): Sat[] {
  const each = new Map<string, Sat>();
  for (const one of found) {
    const isMine = one.whose_turn.includes(one.side) || Boolean(each.get(one.battle)?.isMine);
    const is_counted = one.is_counted || Boolean(each.get(one.battle)?.is_counted);
    each.set(one.battle, { ...(each.get(one.battle) ?? one), isMine, is_counted });
  }
  return [...each.values()].sort((a, b) => Number(b.isMine) - Number(a.isMine) || b.updated - a.updated);
}

/** The battle to go on with: one that waits for this player, else the latest unfinished one. */
export function unfinished(found: Sat[]): Sat | null {
  return found.find((one) => one.stage !== 'over') ?? null;
}
