/** What an answer would bring with it, told in advance: the drafted answer, or else the proposed one. */

import type { ForetoldShown, RefusalShown, Sheet } from '../net/wire';

interface Told {
  readonly notes: ForetoldShown[];
  readonly isOfProposal: boolean;
}

interface Drafted {
  readonly sheet: Sheet | null;
  readonly foretold: ForetoldShown[] | null;
  readonly refusal: RefusalShown | null;
}

const NOTHING: Told = { notes: [], isOfProposal: false };

export function foretold(draft: Drafted): Told {
  if (draft.refusal) return NOTHING;
  if (draft.foretold) return { notes: draft.foretold, isOfProposal: false };
  const notes = draft.sheet?.foretold ?? [];
  return notes.length ? { notes, isOfProposal: true } : NOTHING;
}
