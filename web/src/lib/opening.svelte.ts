/** Which tab beside the table is open: the card of a model that is selected, until it is not any more. */

import { looking } from './looking.svelte';
import { view } from './view.svelte';

/** What gives way to the card; whoever reads anything else goes on reading. */
const GIVES_WAY = ['journal', 'card'];
export const CARD = 'card';

export class Opening {
  open = $state('journal');
  private row = -1;

  /** The card comes with the model that is selected, and goes with it. */
  follow(): void {
    const row = looking.isWanted ? view.row : -1;
    if (row >= 0 && row !== this.row && GIVES_WAY.includes(this.open)) this.open = CARD;
    if (row < 0 && this.open === CARD) this.open = 'journal';
    this.row = row;
  }
}
