/** A form within a form shown whole is aimed by two clicks: on models that act in it, and on their target. */

import type { Draft } from '../lib/draft.svelte';
import type { Option, Sheet } from '../lib/wire';
import { isOpen } from './options';

/** It is begun anew, aimed at a unit as far as it can be, and given; where it cannot, it is told why. */
export async function assignWithin(draft: Draft, place: number, unit: number): Promise<void> {
  if (draft.isBusy) return;
  await draft.edit(place);
  const isWhole = Boolean(draft.whole);
  if (isWhole) await draft.assignAll(unit);
  const option = isWhole ? undefined : at(draft, draft.sheet, unit).find(isOpen);
  if (option) await draft.give(option.key);
  else if (isWhole && draft.levels.length > 1) await draft.give(draft.current ?? null);
  else draft.refusal = at(draft, draft.sheet, unit).find((one) => one.refusal)?.refusal ?? null;
}

function at(draft: Draft, sheet: Sheet | null, unit: number): Option[] {
  return sheet?.options?.filter((one) => one.targets?.some((row) => draft.unitOf(row) === unit)) ?? [];
}
