/** Undo: what is drafted on the table goes first, with the answers given for it; without a draft, the last decision. */

import type { Reply } from '../net/socket';

interface Undone {
  readonly isDrafted: boolean;
  readonly givenBefore: number;
  cancel(): boolean;
}

export async function undo(battle: { undo(): Promise<Reply | null> }, draft: Undone): Promise<void> {
  const { isDrafted, givenBefore } = draft;
  if (isDrafted) draft.cancel();
  const decisions = isDrafted ? givenBefore : 1;
  for (let k = 0; k < decisions; k++) if ((await battle.undo())?.is !== 'done') return;
}
