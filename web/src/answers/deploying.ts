/** Deploys the whole force as proposed, except the unit that the player has drafted: that one goes where it was drafted. */

import type { Draft } from '../battle/draft.svelte';
import type { Plain } from '../net/wire';

const PROPOSED = 'proposed';
const MOST_FIELDS = 30;
const MOST_WAITS = 100;

/** What may be wrong with the drafted unit: a key of the words. */
export type Hindrance = '' | 'ask.deploy-unfinished' | 'ask.deploy-refused';

export function ordersFor(orders: Record<string, Plain>, prompts: string[]): Record<string, Plain> {
  return { ...orders, ...Object.fromEntries(prompts.map((one) => [one, PROPOSED])) };
}

/** Places the drafted unit where it is; the other fields of the question get the proposed answers. */
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
