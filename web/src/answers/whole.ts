/** The fields of a form shown whole, equal ones in one row. */

import { isOpen, same } from './options';
import type { Step } from './path';
import { atLeast } from '../battle/odds.svelte';
import type { Forecast, Stage } from '../net/wire';
import { say, tongue } from '../lib/words.svelte';

export interface WholeRow {
  steps: Step[];
  /** The places of these fields in the form. */
  places: number[];
}

/** Neighbouring fields with the same question, the same options and the same answer share a row. */
export function alike(steps: Step[]): WholeRow[] {
  const rows: WholeRow[] = [];
  steps.forEach((step, place) => {
    const last = rows.at(-1);
    if (last?.steps[0] && isAlike(last.steps[0], step)) {
      last.steps.push(step);
      last.places.push(place);
    } else rows.push({ steps: [step], places: [place] });
  });
  return rows;
}

function isAlike(one: Step, other: Step): boolean {
  if (one.sheet.kind !== 'choose' || other.sheet.kind !== 'choose') return false;
  const offered = (step: Step) => (step.sheet.options ?? []).map((option) => [option.key, option.text, isOpen(option)]);
  return one.sheet.title === other.sheet.title && same(one.answer, other.answer) && same(offered(one), offered(other));
}

/** Whether a click on a target on the table changes the answers. */
export function takesAim(steps: Step[]): boolean {
  return steps.some(({ sheet }) => sheet.kind === 'form' || sheet.options?.some((one) => one.targets?.length));
}

/** An event with less than this chance does not come up: it would be told as 0%. */
const LEAST = 0.005;

/** The main stage of a forecast, or else its last; what cannot come of it gives way to the last stage that can. */
function mainOf({ stages }: Forecast): Stage | undefined {
  const main = stages.find((stage) => stage.is_main) ?? stages.at(-1);
  if (!main) return undefined;
  const before = stages.slice(0, stages.indexOf(main) + 1);
  return before.findLast((stage) => atLeast(stage.chances, 1) >= LEAST) ?? main;
}

/** What a forecast mainly comes to, in a few words; empty if it has no stages. */
export function lossOf(forecast: Forecast): string {
  const main = mainOf(forecast);
  return main ? shareOf(main) : '';
}

/** The odds of an option in as few words as possible: its first stage, its main one, and what it puts at risk. */
export function briefly(forecast: Forecast): string {
  const main = mainOf(forecast);
  const first = forecast.stages[0];
  if (!main || !first) return '';
  return [...new Set([first, main, ...forecast.stages.filter((stage) => stage.is_risk)])].map(shareOf).join(' · ');
}

/** How likely the main stage is, as one number. */
export function mainShare(forecast: Forecast): string {
  const main = forecast.stages.find((stage) => stage.is_main) ?? forecast.stages.at(-1);
  return main ? atLeast(main.chances, 1).toLocaleString(tongue.language, { style: 'percent', maximumFractionDigits: 0 }) : '';
}

/** An event that happens at most once gets a chance; one that may happen several times gets an average. */
function shareOf(stage: Stage): string {
  if (atLeast(stage.chances, 2) > 0) {
    const mean = stage.mean.toLocaleString(tongue.language, { maximumFractionDigits: 1 });
    const what = (mean === '1' && stage.single) || stage.title;
    return say('odds.average', { mean, what: what.toLocaleLowerCase() });
  }
  const share = atLeast(stage.chances, 1).toLocaleString(tongue.language, { style: 'percent' });
  return say('odds.share', { share, what: stage.title.toLocaleLowerCase() });
}
