/** How far the journal of a battle was read when it was last looked at. */

const KEPT = 'campale.looked.';

export const looked = {
  last(battle: string): number {
    return battle ? Number(localStorage.getItem(KEPT + battle) ?? 0) : 0;
  },
  keep(battle: string, lines: number): void {
    if (battle) localStorage.setItem(KEPT + battle, String(lines));
  },
};
