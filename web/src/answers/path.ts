/** The way through a form and the forms within it: the answers so far, and how to go back. */

import { isOpen } from './options';
import type { Forecast, Plain, Sheet } from '../net/wire';

export interface Step {
  sheet: Sheet;
  answer: Plain;
  text: string;
  /** It was the only possible answer and filled itself in. */
  isForced: boolean;
  /** The odds of this answer alone. */
  forecast?: Forecast | null;
  /** Who is aimed at whom by the answer. */
  aims?: [number[], number[]][];
}

export interface Level {
  form: Sheet;
  /** All the fields of a form shown whole. */
  steps: Step[];
  /** The field being changed in a form shown whole. */
  editing: number | null;
}

export interface Return {
  levels: Level[];
  sheet: Sheet;
  answer?: Plain;
}

export class Path {
  constructor(private readonly levels: Level[]) {}

  /** The answers before the current field, form by form. */
  get answers(): Plain[][] {
    return this.levels.map((one) => answersOf(one));
  }

  isBegun(level: Level): boolean {
    return level.editing !== null || (!level.form.whole && level.steps.some((step) => !step.isForced));
  }

  back(): Return | null {
    const level = this.levels.at(-1);
    if (!level) return null;
    const outer = this.levels.slice(0, -1);
    if (level.form.whole && level.editing !== null)
      return { levels: [...outer, { ...level, editing: null }], sheet: level.form };
    const last = level.form.whole ? -1 : level.steps.findLastIndex((step) => !step.isForced);
    if (last < 0) return outer.length ? new Path(outer).back() : null;
    return this.at(outer, level, last);
  }

  backTo(depth: number, place: number): Return | null {
    const level = this.levels[depth];
    return level && !level.form.whole ? this.at(this.levels.slice(0, depth), level, place) : null;
  }

  private at(outer: Level[], level: Level, place: number): Return | null {
    const step = level.steps[place];
    if (!step) return null;
    const levels = [...outer, { ...level, steps: level.steps.slice(0, place) }];
    return { levels, sheet: step.sheet, answer: step.answer };
  }
}

function answersOf(level: Level): Plain[] {
  const steps = level.form.whole ? level.steps.slice(0, level.editing ?? level.steps.length) : level.steps;
  return steps.map((step) => step.answer);
}

/** The answer of a field that has only one. */
export function onlyAnswer(sheet: Sheet): { answer: Plain } | null {
  if (sheet.kind === 'choose') {
    const open = (sheet.options ?? []).filter(isOpen);
    return open.length === 1 && open[0] ? { answer: open[0].key } : null;
  }
  if (sheet.kind === 'number' && (sheet.low ?? 0) === (sheet.high ?? 0)) return { answer: sheet.low ?? 0 };
  if (sheet.kind === 'order' && sheet.keys?.length === 1) return { answer: sheet.keys };
  if (sheet.kind === 'allot' && sheet.holders?.length === 1 && Array.isArray(sheet.proposal))
    return { answer: sheet.proposal };
  return null;
}

/** Whether a form inside another is named among the answers so far: the question with the same words names it already. */
export function isNamed(level: Level, sheet: Sheet | null): boolean {
  return level.form.title !== sheet?.title;
}
