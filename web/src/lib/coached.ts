/** The battle in which a new player is shown around, and how far he has come. */

const KEPT = 'campale.coached';

interface Kept {
  battle: string;
  mark: number;
}

export const coached = {
  begin(battle: string): void {
    localStorage.setItem(KEPT, JSON.stringify({ battle, mark: 0 }));
  },
  /** The next mark in a battle; -1: none. */
  at(battle: string): number {
    const found = JSON.parse(localStorage.getItem(KEPT) ?? 'null') as Kept | null;
    return found && battle && found.battle === battle ? found.mark : -1;
  },
  keep(battle: string, mark: number): void {
    localStorage.setItem(KEPT, JSON.stringify({ battle, mark }));
  },
  end(): void {
    localStorage.removeItem(KEPT);
  },
};
