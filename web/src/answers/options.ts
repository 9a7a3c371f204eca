/** The options of a choice as the screen lists them: open and closed, by unit, by models picked on the board, by words. */

import type { Option, Plain, RefusalShown, RuleShown } from '../net/wire';

export interface Numbered {
  option: Option;
  /** Its place among the open options, from 1: the number to type for it. */
  number: number;
}

export interface Group {
  unit: number | null;
  rows: Numbered[];
  /** The words before a colon that all of them begin with: shown once, above them. */
  begin: string;
}

/** The name of its unit behind a model's own, which need not be said beneath a heading that says it. */
export function ending(text: string, unit: string): string {
  const end = ` (${unit})`;
  return unit && text.endsWith(end) ? end : '';
}

export interface Closed {
  why: string;
  rule: RuleShown | null;
  refusal: RefusalShown;
  options: Option[];
}

export interface Picked {
  actors: number[];
  targets: number[];
}

export const NOTHING_PICKED: Picked = { actors: [], targets: [] };

export function isOpen(option: Option): boolean {
  return !option.refusal;
}

export function same(a: Plain | undefined, b: Plain | undefined): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** The open options, each with the number to type for it. */
export function numbered(options: Option[]): Numbered[] {
  return options.filter(isOpen).map((option, index) => ({ option, number: index + 1 }));
}

/** Without accents and capital letters. */
export function plainly(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
}

/** Whether the text has every word that the player looks for. */
export function hasWords(text: string, wanted: string): boolean {
  const within = plainly(text);
  return plainly(wanted)
    .split(/\s+/)
    .every((word) => within.includes(word));
}

function meets(rows: number[] | undefined, wanted: number[]): boolean {
  return !wanted.length || (rows ?? []).some((row) => wanted.includes(row));
}

/** The options about the picked models. */
export function about<T extends { option: Option }>(rows: T[], picked: Picked): T[] {
  return rows.filter((one) => meets(one.option.actors, picked.actors) && meets(one.option.targets, picked.targets));
}

/** What a click on a model adds to the pick: it acts, it is a target, or the click means nothing here (null). */
export function withPick(options: Option[], picked: Picked, row: number): Picked | null {
  const within = (key: 'actors' | 'targets') => options.some((one) => isOpen(one) && one[key]?.includes(row));
  const among = (key: 'actors' | 'targets', held: number[]) =>
    options.some((one) => isOpen(one) && one[key]?.includes(row) && (!held.length || meets(one.actors, held)));
  if (picked.actors.length && among('targets', picked.actors)) return { ...picked, targets: [row] };
  if (within('actors')) return { actors: [row], targets: [] };
  if (within('targets')) return { ...picked, targets: [row] };
  return null;
}

/** Grouped by the acting unit, in the order in which the units first occur; options without a unit come last. */
export function grouped(
  rows: Numbered[],
  unitOf: (row: number) => number | undefined,
  nameOf: (unit: number | null) => string,
): Group[] {
  const found = new Map<number | null, Numbered[]>();
  for (const one of rows) {
    const unit = unitOf(one.option.actors?.[0] ?? -1) ?? null;
    found.set(unit, [...(found.get(unit) ?? []), one]);
  }
  const groups = [...found].map(([unit, rows]) => ({ unit, rows, begin: beginning(rows, `${nameOf(unit)}: `) }));
  return [...groups.filter((one) => one.unit !== null), ...groups.filter((one) => one.unit === null)];
}

/** What need not be read again under the heading: the heading itself, or what all of several options begin with. */
function beginning(rows: Numbered[], heading: string): string {
  const texts = rows.map((one) => one.option.text);
  if (texts.some((one) => one.startsWith(heading))) return heading;
  const begin = texts[0]?.slice(0, texts[0].indexOf(': ') + 2) ?? '';
  return begin.length > 2 && texts.length > 1 && texts.every((one) => one.startsWith(begin)) ? begin : '';
}

/** The beginning of a group's options, if this one begins so; a passenger's under the heading of its vehicle does not. */
export function opening(text: string, begin: string): string {
  return text.startsWith(begin) ? begin : '';
}

/** An option with those about models like its own. */
export interface Like {
  one: Numbered;
  others: Numbered[];
}

/** Options about like models together, in the order of the first of each kind. `kindOf`: what makes them alike; null: nothing. */
export function together(rows: Numbered[], kindOf: (option: Option) => string | null): Like[] {
  const found: Like[] = [];
  const byKind = new Map<string, Like>();
  for (const one of rows) {
    const kind = kindOf(one.option);
    const known = kind === null ? undefined : byKind.get(kind);
    if (known) known.others.push(one);
    else {
      const like = { one, others: [] };
      found.push(like);
      if (kind !== null) byKind.set(kind, like);
    }
  }
  return found;
}

/** A model's name without its number. */
export function unnumbered(name: string): string {
  return name.replace(/ \d+$/, '');
}

/** Names in one line; those that differ by their numbers only are counted. */
export function counted(names: string[]): string {
  const found = new Map<string, string[]>();
  for (const name of names) found.set(unnumbered(name), [...(found.get(unnumbered(name)) ?? []), name]);
  return [...found].map(([name, all]) => (all.length > 1 ? `${name} ×${all.length}` : all[0])).join(', ');
}

/** The options that cannot be chosen, grouped by the reason. */
export function closed(options: Option[]): Closed[] {
  const found = new Map<string, Closed>();
  for (const option of options) {
    const refusal = option.refusal;
    if (!refusal) continue;
    const known = found.get(refusal.text);
    if (known) known.options.push(option);
    else found.set(refusal.text, { why: refusal.text, rule: refusal.rule ?? null, refusal, options: [option] });
  }
  return [...found.values()];
}

/** The option that the words mean: an exact match, or the only one that begins with them, or the only one with them all. */
export function meant(options: Option[], words: string): Option | null {
  const wanted = plainly(words.trim());
  if (!wanted) return null;
  const open = options.filter(isOpen);
  const exact = open.filter((one) => plainly(one.text) === wanted || plainly(String(one.key)) === wanted);
  const begun = exact.length ? exact : open.filter((one) => plainly(one.text).startsWith(wanted));
  const found = begun.length ? begun : open.filter((one) => hasWords(one.text, wanted));
  return found.length === 1 ? (found[0] ?? null) : null;
}

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';

/** A letter for each possible target unit, in the order in which they first occur. No letters if there is only one. */
export function lettered(lists: Option[][], unitOf: (row: number) => number | undefined): Map<number, string> {
  const units = new Set<number>();
  for (const options of lists) {
    for (const option of options.filter(isOpen)) {
      for (const row of option.targets ?? []) {
        const unit = unitOf(row);
        if (unit !== undefined) units.add(unit);
      }
    }
  }
  const letters = new Map<number, string>();
  if (units.size < 2) return letters;
  [...units].slice(0, LETTERS.length).forEach((unit, place) => letters.set(unit, LETTERS.charAt(place)));
  return letters;
}

/** The letters of an option's target units. */
export function lettersOf(
  option: Option | undefined,
  letters: Map<number, string>,
  unitOf: (row: number) => number | undefined,
): string {
  const found = new Set((option?.targets ?? []).map((row) => letters.get(unitOf(row) ?? -1) ?? ''));
  return [...found].join('');
}

/** The letters of an answer's targets; if the answer names nobody, of the units that the field is about. */
export function lettersFor(
  option: Option | undefined,
  about: number[] | undefined,
  letters: Map<number, string>,
  unitOf: (row: number) => number | undefined,
): string {
  return lettersOf(option, letters, unitOf) || lettersOf({ key: null, text: '', targets: about }, letters, unitOf);
}
