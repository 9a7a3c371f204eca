/** The server's replies about models that the player looks at: cards, rings, sight. They are renewed when models change. */

import type { Scene } from './battle.svelte';
import type { Look } from '../net/wire';

export class Looks {
  private told = $state.raw(new Map<number, Look>());
  private asked = new Set<number>();

  constructor(private readonly battle: Scene) {}

  /** What is known about a model; null until the server replies. */
  of(row: number): Look | null {
    return this.told.get(row) ?? null;
  }

  /** Asks about a model, unless it was asked about since the last change. */
  async ask(row: number): Promise<void> {
    if (row < 0 || this.asked.has(row)) return;
    const asked = this.asked;
    asked.add(row);
    const reply = await this.battle.ask({ do: 'look', model: row });
    if (reply?.is === 'looked') this.told = new Map([...this.told, [row, reply.look]]);
    else asked.delete(row);
  }

  /** Something has changed: the old reply stays until the new one comes. */
  forget(): void {
    this.asked = new Set();
  }
}
