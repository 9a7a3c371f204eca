/** What the server told about models when it was asked to look: cards, rings, sight. Told anew when models change. */

import type { Scene } from './battle.svelte';
import type { Look } from './wire';

export class Looks {
  private told = $state.raw(new Map<number, Look>());
  private asked = new Set<number>();

  constructor(private readonly battle: Scene) {}

  /** What is known of a model; null until the server has told it. */
  of(row: number): Look | null {
    return this.told.get(row) ?? null;
  }

  /** Ask about a model, unless it has been asked since the last change. */
  async ask(row: number): Promise<void> {
    if (row < 0 || this.asked.has(row)) return;
    const asked = this.asked;
    asked.add(row);
    const reply = await this.battle.ask({ do: 'look', model: row });
    if (reply?.is === 'looked') this.told = new Map([...this.told, [row, reply.look]]);
    else asked.delete(row);
  }

  /** Something has changed: what is shown stays until it is told anew. */
  forget(): void {
    this.asked = new Set();
  }
}
