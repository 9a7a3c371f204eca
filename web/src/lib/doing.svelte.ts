/** A member's actions on a page of the club: what went wrong, and that something changed. */

import { signed } from '../net/signed.svelte';

export class Doing {
  error = $state<unknown>(null);
  /** The number of actions so far: each makes the page ask the server again. */
  changes = $state(0);

  /** `after`: runs after each action, whether it went wrong or not. */
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

  /** The page itself says that nobody is signed in any more. */
  tell(caught: unknown): void {
    if (!signed.isOut(caught)) this.error = caught;
  }
}
