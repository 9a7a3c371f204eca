/** What the board marks of a question: who acts and upon whom, letters of targets, places to click, what is allotted. */

import type { Draft } from '../lib/draft.svelte';
import type { Option, Plain } from '../lib/wire';
import { total } from './allotting';
import { isOpen, same } from './options';
import type { XY } from './ways';

export interface Spot {
  key: Plain;
  at: XY;
  text: string;
  closed: boolean;
}

/** Models that act, and those that they are aimed at: each of one unit. */
export interface Aim {
  from: number[];
  to: number[];
}

export interface Marks {
  actors: number[];
  targets: number[];
  /** The letters of targets, by the rows of their models. */
  letters: Record<number, string>;
  spots: Spot[];
  /** How much is allotted to a model, by its row. */
  holders: Record<number, number>;
  aims: Aim[];
}

export function marked(draft: Draft): Marks {
  const both = parties(draft, draft.hovered ?? draft.picked);
  return { ...both, letters: letters(draft), spots: spots(draft), holders: holders(draft), aims: aims(draft, both) };
}

/** Who is aimed at whom: by the act that is answered, by the fields of a form shown whole, by the option that is looked at. */
function aims(draft: Draft, both: { actors: number[]; targets: number[] }): Aim[] {
  const declared = (draft.levels[0]?.form ?? draft.sheet)?.shown?.aims as [number, number][] | undefined;
  const fields = (draft.whole?.steps ?? []).flatMap((step) => step.aims ?? []);
  const looked: [number[], number[]][] = draft.kind === 'choose' ? [[both.actors, both.targets]] : [];
  const all = [...(declared ?? []).map(([from, to]): [number[], number[]] => [[from], [to]]), ...fields, ...looked];
  const found = new Map<string, Aim>();
  for (const [from, to] of all) {
    for (const one of byUnit(draft, from)) {
      for (const other of byUnit(draft, to)) {
        const key = `${draft.unitOf(one[0] ?? -1)} ${draft.unitOf(other[0] ?? -1)}`;
        const known = found.get(key) ?? { from: [], to: [] };
        found.set(key, { from: union(known.from, one), to: union(known.to, other) });
      }
    }
  }
  return [...found.values()];
}

function byUnit(draft: Draft, rows: number[]): number[][] {
  const found = new Map<number, number[]>();
  for (const row of rows) found.set(draft.unitOf(row) ?? -1, [...(found.get(draft.unitOf(row) ?? -1) ?? []), row]);
  return [...found.values()];
}

function union(some: number[], others: number[]): number[] {
  return [...new Set([...some, ...others])];
}

/** Who acts, and upon whom, if an option were taken: of whom the question is about, those of the other side are acted upon. */
export function parties(draft: Draft, option: Option | null): { actors: number[]; targets: number[] } {
  const { sheet, about } = draft;
  const forms = draft.levels.map((level) => level.form);
  const sheets = sheet && !forms.includes(sheet) ? [...forms, sheet] : forms;
  const asked = sheets.flatMap((one) => one.models ?? []);
  const side = sheet?.side ?? null;
  const own = asked.filter((row) => side === null || draft.battle.models[row]?.side === side);
  const taken = draft.whole ? [] : chosen(draft);
  const named = [...(option?.actors ?? []), ...about.actors, ...taken.flatMap((one) => one.actors ?? [])];
  const actors = new Set(own.length ? own : named);
  const aimed = [...aimedAt(draft), ...taken.flatMap((one) => one.targets ?? [])];
  const others = [...asked, ...named, ...sheets.flatMap((one) => one.targets ?? []), ...aimed];
  const targets = [...others, ...(option?.targets ?? []), ...about.targets];
  return { actors: [...actors], targets: [...new Set(targets)].filter((row) => !actors.has(row)) };
}

/** What was chosen in the fields of forms that are filled in field by field: who acts, and upon whom. */
function chosen(draft: Draft): Option[] {
  const steps = draft.levels.filter((level) => !level.form.whole).flatMap((level) => level.steps);
  return steps.flatMap(({ sheet, answer }) => sheet.options?.find((one) => same(one.key, answer)) ?? []);
}

/** Whom the fields of a form that is shown whole are about, and whom their answers are aimed at. */
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
