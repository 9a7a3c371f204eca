/** The fields of a form that is shown whole, those alike in one row. */

import { isOpen, same } from './options';
import type { Step } from './path';
import { atLeast } from '../lib/odds.svelte';
import type { Forecast, Stage } from '../lib/wire';
import { say, tongue } from '../lib/words.svelte';

export interface WholeRow {
  steps: Step[];
  /** Which of the fields these are. */
  places: number[];
}

/** Fields next to each other that ask the same, offer the same and are answered the same are one row. */
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

/** The average of the main stage of a forecast, else of the last, in a few words; nothing where it has no stages. */
export function lossOf(forecast: Forecast): string {
  const last = forecast.stages.find((stage) => stage.is_main) ?? forecast.stages.at(-1);
  return last ? averageOf(last) : '';
}

/** What may come of an option in the fewest words: its first stage, and the one that stands for all. */
export function briefly(forecast: Forecast): string {
  const main = forecast.stages.find((stage) => stage.is_main) ?? forecast.stages.at(-1);
  const first = forecast.stages[0];
  if (!main || !first) return '';
  return [...new Set([first, main])].map(shareOf).join(' · ');
}

/** How likely the stage that stands for all is, in one number. */
export function mainShare(forecast: Forecast): string {
  const main = forecast.stages.find((stage) => stage.is_main) ?? forecast.stages.at(-1);
  return main ? atLeast(main.chances, 1).toLocaleString(tongue.language, { style: 'percent', maximumFractionDigits: 0 }) : '';
}

function averageOf(stage: Stage): string {
  const mean = stage.mean.toLocaleString(tongue.language, { maximumFractionDigits: 1 });
  return say('odds.average', { mean, what: stage.title.toLocaleLowerCase() });
}

/** What happens once at most has a chance, what may happen several times an average. */
function shareOf(stage: Stage): string {
  if (atLeast(stage.chances, 2) > 0) return averageOf(stage);
  const share = atLeast(stage.chances, 1).toLocaleString(tongue.language, { style: 'percent' });
  return `${share} ${stage.title.toLocaleLowerCase()}`;
}
