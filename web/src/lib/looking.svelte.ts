/** What the board knows of the model that is looked at, for its card beside the table. */

import type { Looks } from './look.svelte';
import { view } from './view.svelte';
import type { Look } from './wire';

class Looking {
  looks = $state.raw<Looks | null>(null);
  /** The models at which something is aimed in the question. */
  aimed = $state.raw<number[]>([]);

  /** Whether a model is selected whose card or odds are wanted. */
  get isWanted(): boolean {
    return Boolean(this.looks) && (view.tools.card || view.tools.odds) && view.row >= 0;
  }

  /** What is told of it, once the server has. */
  get look(): Look | null {
    return this.isWanted ? (this.looks?.of(view.row) ?? null) : null;
  }

  /** The model is not looked at any more. Whether it was. */
  close(): boolean {
    if (!this.isWanted) return false;
    view.select([]);
    return true;
  }
}

export const looking = new Looking();
