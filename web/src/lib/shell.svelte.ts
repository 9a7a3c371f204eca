/** What a page puts into the bar at the top, and what a screen reader reads out. */

import type { Snippet } from 'svelte';

class Shell {
  bar = $state.raw<Snippet | null>(null);
  told = $state('');

  /** Has a screen reader read something out. */
  tell(text: string): void {
    this.told = text;
  }
}

export const shell = new Shell();
