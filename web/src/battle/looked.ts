/** How far the player had read the journal of a battle when he last looked at it. */

const KEPT = 'campale.looked.';

export const looked = {
  last(battle: string): number {
    return battle ? Number(localStorage.getItem(KEPT + battle) ?? 0) : 0;
  },
  keep(battle: string, lines: number): void {
    if (battle) localStorage.setItem(KEPT + battle, String(lines));
  },
};
