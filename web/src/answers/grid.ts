/** Many choices among the same options, as one table: a row for each choice, a column for each option. */

import type { Plain, Sheet } from '../net/wire';
import { isOpen, same } from './options';
import type { Step } from './path';

export interface GridRow {
  /** The place of the field in the form. */
  place: number;
  name: string;
  /** The full text of the question. */
  title: string;
  models: number[];
  /** The column of the answer. */
  at: number;
  /** The question, if the book can tell its odds. */
  weighed: Sheet | null;
}

export interface GridPart {
  heading: string;
  rows: GridRow[];
}

export interface Grid {
  columns: { key: Plain; text: string }[];
  parts: GridPart[];
}

const [FEWEST_ROWS, FEWEST, MOST, LONGEST] = [2, 3, 8, 18];

/** The fields of a form as a table; null if they are not choices among the same options. */
export function gridOf(steps: Step[]): Grid | null {
  const [first] = steps;
  const columns = (first?.sheet.options ?? []).map(({ key, text }) => ({ key, text }));
  if (steps.length < FEWEST_ROWS || columns.length < FEWEST || columns.length > MOST) return null;
  if (columns.some((one) => one.text.length > LONGEST) || !steps.every((one) => isLike(one, columns))) return null;
  const names = shortened(steps.map((one) => one.sheet.title));
  const parts: GridPart[] = [];
  steps.forEach(({ sheet, answer }, place) => {
    const at = columns.findIndex((one) => same(one.key, answer));
    const row = { place, name: names[place] ?? '', title: sheet.title, models: sheet.models ?? [], at, weighed: sheet.weighed ? sheet : null };
    const heading = sheet.under ?? '';
    const part = parts.find((one) => one.heading === heading);
    if (part) part.rows.push(row);
    else parts.push({ heading, rows: [row] });
  });
  return { columns, parts };
}

function isLike({ sheet, isForced }: Step, columns: Grid['columns']): boolean {
  const options = sheet.options ?? [];
  if (sheet.kind !== 'choose' || isForced || options.length !== columns.length) return false;
  const isPlain = options.every((one) => isOpen(one) && !one.targets?.length && !one.at && !one.laid);
  return isPlain && options.every((one, k) => same(one.key, columns[k]?.key) && one.text === columns[k]?.text);
}

/** The titles without the words that they all begin with. */
export function shortened(titles: string[]): string[] {
  const [first = '', ...others] = titles;
  let length = first.length;
  for (const other of others) {
    let common = 0;
    while (common < length && first[common] === other[common]) common++;
    length = common;
  }
  const end = others.length ? first.slice(0, length).lastIndexOf(' ') + 1 : 0;
  return titles.map((one) => one.slice(end));
}

/** The rows that one option would change: all but those set by hand. */
export function sweep(rows: GridRow[], column: number, but: ReadonlySet<number> = new Set()): number[] {
  return rows.filter((one) => one.at !== column && !but.has(one.place)).map((one) => one.place);
}
