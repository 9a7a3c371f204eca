/** The answer that would be given now, and where an answer begins. */

import type { Draft } from '../battle/draft.svelte';
import type { Option, Plain, Sheet } from '../net/wire';
import { isComplete } from './allotting';
import { isOpen, same } from './options';
import { answerOf } from './ways';

/** Undefined while a part is missing. */
export function answerNow(draft: Draft): Plain | undefined {
  const { sheet, picked } = draft;
  if (!sheet) return undefined;
  if (draft.whole) return draft.whole.steps.map((step) => step.answer);
  if (sheet.kind === 'choose') return picked && isOpen(picked) ? picked.key : undefined;
  if (sheet.kind === 'place' || sheet.kind === 'move') return answerOf(draft.moved, sheet);
  if (sheet.kind === 'allot') return isComplete(draft.given) ? draft.given : undefined;
  if (sheet.kind === 'aim') return draft.point ? [...draft.point, ...third(draft, sheet)] : undefined;
  if (sheet.kind === 'along') return draft.length ?? (isPassed(sheet) ? null : undefined);
  if (sheet.kind === 'number' || sheet.kind === 'direction') return draft.number ?? undefined;
  return draft.ordered.length === draft.wanted ? draft.ordered : undefined;
}

/** The width of an aim, or its direction, if the proposal has one. */
function third(draft: Draft, sheet: Sheet): number[] {
  if (draft.isSized) return [draft.size ?? draft.sizes[1]];
  const shape = sheet.proposal ?? sheet.suggested?.[0];
  if (!Array.isArray(shape) || shape.length < 3) return [];
  return [draft.facing ?? Number(shape[2] ?? 0)];
}

/** Whether the proposal is to let a route go on to its end. */
export function isPassed(sheet: Sheet): boolean {
  return sheet.proposal == null && sheet.shown?.passes !== false;
}

export function firstNumber(sheet: Sheet): number {
  const first = sheet.proposal ?? sheet.suggested?.[0];
  return typeof first === 'number' ? first : (sheet.low ?? 0);
}

/** The proposed option, or else the first open one. */
export function firstOption(sheet: Sheet): Option | null {
  const open = (sheet.options ?? []).filter(isOpen);
  return open.find((one) => same(one.key, sheet.proposal)) ?? open[0] ?? null;
}

/** The answers that can be tried on: the proposal first, then the other suggestions. */
export function proposals(sheet: Sheet): Plain[] {
  const all = [sheet.proposal, ...(sheet.suggested ?? [])].filter((one) => one !== undefined && one !== null);
  return all.filter((one, place) => all.findIndex((other) => same(one, other)) === place);
}
