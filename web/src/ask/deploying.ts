/** The whole deployment as it is proposed, but for the unit that the player has drafted himself: that one lies as drafted. */

import type { Draft } from '../lib/draft.svelte';
import type { Plain } from '../lib/wire';

const PROPOSED = 'proposed';
const MOST_FIELDS = 30;
const MOST_WAITS = 100;

/** What may be wrong with what is drafted: a key of the words. */
export type Hindrance = '' | 'ask.deploy-unfinished' | 'ask.deploy-refused';

export function ordersFor(orders: Record<string, Plain>, prompts: string[]): Record<string, Plain> {
  return { ...orders, ...Object.fromEntries(prompts.map((one) => [one, PROPOSED])) };
}

/** Place what is drafted, as it lies; what is asked along with it is answered as proposed. */
export async function placeDrafted(draft: Draft, wait: () => Promise<void>): Promise<Hindrance> {
  if (!draft.isSpatial || !draft.isChanged) return '';
  for (let n = 0; draft.isChecking && n < MOST_WAITS; n++) await wait();
  const question = draft.question;
  for (let n = 0; n < MOST_FIELDS; n++) {
    const { sheet, current } = draft;
    if (current === undefined) return 'ask.deploy-unfinished';
    if (!(await draft.give(current))) return 'ask.deploy-refused';
    if (draft.question !== question || draft.sheet === sheet) return '';
    draft.propose();
  }
  return 'ask.deploy-unfinished';
}
