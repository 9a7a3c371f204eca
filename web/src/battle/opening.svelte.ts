/** Which tab beside the table is open: the card of a selected model, until the selection ends. */

import { looking } from './looking.svelte';
import { view } from './view.svelte';

/** The tabs that give way to the card; a player who reads another one goes on reading. */
const GIVES_WAY = ['journal', 'card'];
export const CARD = 'card';

export class Opening {
  open = $state('journal');
  private row = -1;

  /** The card appears when a model is selected, and goes when it is not. */
  follow(): void {
    const row = looking.isWanted ? view.row : -1;
    if (row >= 0 && row !== this.row && GIVES_WAY.includes(this.open)) this.open = CARD;
    if (row < 0 && this.open === CARD) this.open = 'journal';
    this.row = row;
  }
}
