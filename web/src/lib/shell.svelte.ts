/** What a page puts into the bar at the top, and what is read out to those who cannot see it. */

import type { Snippet } from 'svelte';

class Shell {
  bar = $state.raw<Snippet | null>(null);
  told = $state('');

  /** Have something read out by a screen reader. */
  tell(text: string): void {
    this.told = text;
  }
}

export const shell = new Shell();
