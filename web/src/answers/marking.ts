/** The marks of a question on the board: acting models and their targets, letters of targets, places to click, shares. */

import type { Draft } from '../battle/draft.svelte';
import type { Option, Plain } from '../net/wire';
import { total } from './allotting';
import { isOpen, same } from './options';
import type { XY } from './ways';

export interface Spot {
  key: Plain;
  at: XY;
  text: string;
  closed: boolean;
}

export interface Marks {
  actors: number[];
  targets: number[];
  /** The letters of the targets, by the rows of their models. */
  letters: Record<number, string>;
  spots: Spot[];
  /** How many items each model has been given, by its row. */
  holders: Record<number, number>;
  /** The numbers of options that are each one model of the same unit, by its row. */
  numbers: Record<number, number>;
}

export function marked(draft: Draft): Marks {
  return { ...parties(draft, draft.hovered ?? draft.picked), letters: letters(draft), spots: spots(draft), holders: holders(draft), numbers: numbers(draft) };
}

/** Who acts on whom if an option were taken: of the models in the question, the other side's are the targets. */
export function parties(draft: Draft, option: Option | null): { actors: number[]; targets: number[] } {
  const { sheet, about } = draft;
  const forms = sheet?.anew ? [] : draft.levels.map((level) => level.form);
  const sheets = sheet && !forms.includes(sheet) ? [...forms, sheet] : forms;
  const asked = sheets.flatMap((one) => one.models ?? []);
  const side = sheet?.side ?? null;
  const own = asked.filter((row) => side === null || draft.battle.models[row]?.side === side);
  const taken = draft.whole ? [] : chosen(draft);
  const before = taken.flatMap((one) => one.actors ?? []);
  const named = [...(option?.actors ?? []), ...about.actors, ...before];
  const actors = new Set(own.length ? own : named);
  const aimed = [...aimedAt(draft), ...taken.flatMap((one) => one.targets ?? [])];
  const others = [...asked, ...named, ...sheets.flatMap((one) => one.targets ?? []), ...aimed];
  const targets = [...others, ...(option?.targets ?? []), ...about.targets];
  return { actors: [...actors], targets: [...new Set(targets)].filter((row) => !actors.has(row) && !isIdle(draft, before, row)) };
}

/** Whether a model only belongs to those that an earlier answer has named: the others of its group act on nobody. */
function isIdle(draft: Draft, named: number[], row: number): boolean {
  return named.includes(row) && draft.battle.models[row]?.side === draft.sheet?.side;
}

/** The options chosen in forms that are filled in field by field. */
function chosen(draft: Draft): Option[] {
  const steps = draft.levels.filter((level) => !level.form.whole).flatMap((level) => level.steps);
  return steps.flatMap(({ sheet, answer }) => sheet.options?.find((one) => same(one.key, answer)) ?? []);
}

/** The targets of a form shown whole: those that its fields are about, and those that its answers are aimed at. */
function aimedAt(draft: Draft): number[] {
  return (draft.whole?.steps ?? []).flatMap(({ sheet, answer }) => [
    ...(sheet.targets ?? []),
    ...(sheet.options?.find((one) => same(one.key, answer))?.targets ?? []),
  ]);
}

function letters(draft: Draft): Record<number, string> {
  const found: Record<number, string> = {};
  for (const model of draft.letters.size ? draft.battle.models : []) {
    const letter = model && draft.letters.get(model.unit);
    if (letter) found[model.row] = letter;
  }
  return found;
}

function spots(draft: Draft): Spot[] {
  return (draft.sheet?.options ?? []).flatMap((one) =>
    one.at ? [{ key: one.key, at: one.at, text: one.text, closed: !isOpen(one) }] : [],
  );
}

function holders(draft: Draft): Record<number, number> {
  const rows = draft.kind === 'allot' ? (draft.sheet?.holders ?? []) : [];
  return Object.fromEntries(rows.map((row) => [row, total(draft.given, row)]));
}

/** Where the unit has several of them, nothing else tells on the table which option is which model. */
function numbers(draft: Draft): Record<number, number> {
  const rows = draft.kind === 'choose' && !draft.whole ? draft.visible : [];
  const single = rows.flatMap(({ option, number }) => {
    const [row, ...more] = [...(option.actors ?? []), ...(option.targets ?? [])];
    return row === undefined || more.length ? [] : [{ row, number, unit: draft.unitOf(row) }];
  });
  const apart = single.filter(
    (one) => single.every((other) => other === one || other.row !== one.row) && single.some((other) => other !== one && other.unit === one.unit),
  );
  return Object.fromEntries(apart.map((one) => [one.row, one.number]));
}
