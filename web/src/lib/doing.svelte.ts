/** What a member does on a page of the club: what went wrong with it, and that something changed. */

import { signed } from './signed.svelte';

export class Doing {
  error = $state<unknown>(null);
  /** How often something was done: what is shown is asked for anew with each. */
  changes = $state(0);

  /** `after`: what follows on each, whether it went wrong or not. */
  constructor(private readonly after: () => unknown = () => undefined) {}

  run = async (work: Promise<unknown>): Promise<void> => {
    this.error = null;
    try {
      await work;
    } catch (caught) {
      this.tell(caught);
    }
    this.changes++;
    await this.after();
  };

  again = (): void => void this.changes++;

  /** That nobody is signed in any more the page says by itself. */
  tell(caught: unknown): void {
    if (!signed.isOut(caught)) this.error = caught;
  }
}
