/** What the board knows about the selected model, for its card beside the table. */

import type { Looks } from './look.svelte';
import { view } from './view.svelte';
import type { Look } from '../net/wire';

class Looking {
  looks = $state.raw<Looks | null>(null);
  /** The models that the question's aims point at. */
  aimed = $state.raw<number[]>([]);

  /** Whether a selected model's card or odds are wanted. */
  get isWanted(): boolean {
    return Boolean(this.looks) && (view.tools.card || view.tools.odds) && view.row >= 0;
  }

  /** The server's reply about it, once there is one. */
  get look(): Look | null {
    return this.isWanted ? (this.looks?.of(view.row) ?? null) : null;
  }

  /** Deselects the model. Returns whether one was selected. */
  close(): boolean {
    if (!this.isWanted) return false;
    view.select([]);
    return true;
  }
}

export const looking = new Looking();
