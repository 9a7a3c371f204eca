/** Two clicks aim a form within a form shown whole: one on the models that act in it, one on their target. */

import type { Draft } from '../battle/draft.svelte';
import type { Option, RefusalShown, Sheet, Sighting } from '../net/wire';
import { say } from '../lib/words.svelte';
import { aims } from './aims';
import { isOpen, same } from './options';

/** Aims the form in which the selected models act; a unit that has none yet is taken into the whole form first. */
export async function assignSelected(draft: Draft, unit: number): Promise<void> {
  if (draft.isBusy) return;
  if (draft.actingPlace < 0 && (!(await joins(draft, unit)) || isAimed(draft, unit))) return;
  await assignWithin(draft, draft.actingPlace, unit);
}

/** Whether the selected models are aimed at a unit, and at no other. */
function isAimed(draft: Draft, unit: number): boolean {
  const models = draft.whole?.steps[draft.actingPlace]?.sheet.models ?? [];
  const own = aims(draft).filter((aim) => aim.from.some((row) => models.includes(row)));
  return own.length > 0 && own.every((aim) => aim.to.every((row) => draft.unitOf(row) === unit));
}

/** Takes the selected unit where nobody is taken. Returns whether it acts now; if it may not, the draft says why. */
async function joins(draft: Draft, unit: number): Promise<boolean> {
  const place = draft.joiningPlace;
  const step = draft.whole?.steps[place];
  const options = step?.sheet.options?.filter((one) => draft.acts(one)) ?? [];
  const open = options.find(isOpen);
  const isTaken = step?.sheet.options?.some((one) => same(one.key, step.answer) && one.actors?.length);
  if (open && !isTaken) await draft.change(place, open.key);
  else draft.refusal = options.find((one) => one.refusal)?.refusal ?? (await whyNot(draft, options[0]?.actors ?? [], unit));
  return draft.actingPlace >= 0;
}

/** Starts the form over, aims it at a unit as far as possible, and gives it; if that fails, it stays open and says why. */
async function assignWithin(draft: Draft, place: number, unit: number): Promise<void> {
  if (draft.isBusy) return;
  const acting = draft.whole?.steps[place]?.sheet.models ?? [];
  const { question } = draft;
  await draft.edit(place);
  const sheets = draft.whole ? draft.whole.steps.map((step) => step.sheet) : draft.sheet ? [draft.sheet] : [];
  const options = sheets.flatMap((sheet) => at(draft, sheet, unit));
  const open = options.find(isOpen);
  if (!open) {
    const refusal = options[0]?.refusal ?? (await whyNot(draft, acting, unit));
    if (question === draft.question) draft.refusal = refusal;
  } else if (draft.whole) {
    await draft.assignAll(unit);
    await draft.give(draft.current ?? null);
  } else await draft.give(open.key);
}

function at(draft: Draft, sheet: Sheet, unit: number): Option[] {
  return sheet.options?.filter((one) => one.targets?.some((row) => draft.unitOf(row) === unit)) ?? [];
}

/** Why a unit is no target, as the first acting model sees it. */
async function whyNot(draft: Draft, [first = -1]: number[], unit: number): Promise<RefusalShown> {
  const reply = await draft.battle.ask({ do: 'look', model: first });
  const all: Sighting[] = (reply?.is === 'looked' && reply.look.sightings) || [];
  const seen = all.filter((one) => draft.unitOf(one.model) === unit);
  const unseen = seen.every((one) => one.sees === 'unseen') ? seen[0] : undefined;
  const told = unseen ?? seen.flatMap((one) => one.barred ?? [])[0];
  return told ? { text: told.text, rule: told.rule } : { text: say('ask.not-at-these') };
}
