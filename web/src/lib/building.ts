/** Armies built from a book's own lists: the picks, as rows on the page and as an army file. */

import { call } from '../net/api';
import type { Card, Plain } from '../net/wire';

export interface Field {
  name: string;
  title: string;
  kind: 'number' | 'counts' | 'pile' | 'one' | 'several' | 'unit' | 'flag' | 'text';
  choices: { value: string; text: string; about?: string }[];
  values: number[];
  least: number;
  most: number;
  /** The usual contents of a pile, if the file says nothing. */
  usual: Record<string, number>;
}

export interface Kind {
  id: string;
  title: string;
  row: Record<string, Plain>;
  fields: Field[];
  prices: [number, number][];
  card: Card;
}

/** `force`: what an army file always says; `rows`: the key of its units; `fields`: choices for the army as a whole. */
export interface ArmyList {
  id: string;
  title: string;
  force: Record<string, Plain>;
  rows: string;
  kinds: Kind[];
  fields: Field[];
}

/** A picked unit; `said` holds numbers, counts, words, and another unit's key. */
export interface Row {
  key: number;
  kind: string;
  said: Record<string, Plain>;
}

export interface Picked {
  list: string;
  name: string;
  points: number;
  rows: Row[];
  /** The choices for the army as a whole. */
  said: Record<string, Plain>;
}

type Table = { [key: string]: Plain };

export const listsOf = (book: string) => call<ArmyList[]>(`/api/books/${encodeURIComponent(book)}/lists`);

export function kindOf(list: ArmyList | undefined, row: Row): Kind | undefined {
  return list?.kinds.find((one) => one.id === row.kind);
}

/** The smallest number allowed in a field. */
export function leastOf(field: Field): number {
  return field.values[0] ?? field.least;
}

/** How many of each choice a pile has. */
export function pileOf(field: Field, value: Plain | undefined): Map<string, number> {
  const counts = (value ?? field.usual) as Table;
  return new Map(field.choices.map(({ value: one }) => [one, Number(counts[one]) || 0]));
}

export function sizeOf(pile: Map<string, number>): number {
  return [...pile.values()].reduce((sum, count) => sum + count, 0);
}

/** A picked army as in its file: values that the file need not mention are left out. */
export function plainOf(list: ArmyList, picked: Picked): Table {
  const ids = new Map<number, string>();
  for (const row of picked.rows) {
    const fields = kindOf(list, row)?.fields ?? [];
    for (const { name } of fields.filter((one) => one.kind === 'unit')) {
      const to = row.said[name];
      if (picked.rows.some((one) => one.key === to)) ids.set(to as number, `u${to}`);
    }
  }
  const rows = picked.rows.flatMap((row): Table[] => {
    const kind = kindOf(list, row);
    if (!kind) return [];
    const id = ids.get(row.key);
    return [{ ...kind.row, ...(id ? { id } : {}), ...allTold(kind.fields, row.said, ids) }];
  });
  const name = picked.name.trim() || list.title;
  const whole = allTold(list.fields, picked.said, ids);
  return { ...list.force, name: { en: name, it: name }, points: picked.points, ...whole, [list.rows]: rows };
}

/** The choices for a unit or an army. */
function allTold(fields: Field[], said: Record<string, Plain>, ids: Map<number, string>): Table {
  const all = fields.map((field): [string, Plain] => [field.name, told(field, said[field.name], ids)]);
  return Object.fromEntries(all.filter(([, value]) => value !== null));
}

/** A value as in the file; null if the file leaves it out. */
function told(field: Field, value: Plain | undefined, ids: Map<number, string>): Plain {
  if (value === undefined || value === null || value === '' || value === false) return null;
  if (field.kind === 'pile') return pileTold(field, value);
  if (field.kind === 'unit') return typeof value === 'number' ? (ids.get(value) ?? null) : null;
  if (Array.isArray(value)) return value.length ? value : null;
  if (typeof value === 'object') {
    const counts = Object.entries(value).filter(([, count]) => typeof count === 'number' && count > 0);
    return counts.length ? Object.fromEntries(counts) : null;
  }
  return value;
}

/** Even an empty pile is written, unless it is usually empty. */
function pileTold(field: Field, value: Plain): Plain {
  const pile = pileOf(field, value);
  const isUsual = [...pile].every(([one, count]) => count === (field.usual[one] ?? 0));
  return isUsual ? null : Object.fromEntries([...pile].filter(([, count]) => count > 0));
}

/** The picks in an army file, so that the player may go on with it; null for a file that brings its own units along. */
export function pickedFrom(lists: ArmyList[], plain: Table): Picked | null {
  const list = lists.find((one) => Object.entries(one.force).every(([key, value]) => same(plain[key], value)));
  const rows = list ? plain[list.rows] : null;
  if (!list || !Array.isArray(rows) || plain.own) return null;
  const found = rows.map((row, key): Row | null => {
    const kind = list.kinds.find((one) => Object.entries(one.row).every(([name, value]) => same((row as Table)[name], value)));
    return kind ? { key, kind: kind.id, said: saidIn(kind.fields, row as Table, rows as Table[]) } : null;
  });
  const name = (plain.name as Table | undefined)?.en;
  if (found.includes(null)) return null;
  return {
    list: list.id,
    name: typeof name === 'string' ? name : '',
    points: typeof plain.points === 'number' ? plain.points : 0,
    rows: found as Row[],
    said: saidIn(list.fields, plain, rows as Table[]),
  };
}

function saidIn(fields: Field[], row: Table, rows: Table[]): Record<string, Plain> {
  const said: Record<string, Plain> = {};
  for (const { name, kind: sort } of fields) {
    const value = row[name];
    if (value === undefined || value === null) continue;
    if (sort !== 'unit') said[name] = value;
    else said[name] = rows.findIndex((one) => (one.id ?? one.unit) === value);
  }
  return said;
}

const same = (one: Plain | undefined, other: Plain): boolean => JSON.stringify(one) === JSON.stringify(other);

// ---------------------------------------------------------------- links

const LONGEST = 12_000;

/** An army in an address, to be sent to others. */
export function linkOf(book: string, plain: Table): string {
  const bytes = new TextEncoder().encode(JSON.stringify(plain));
  const text = btoa(String.fromCharCode(...bytes)).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
  return `/build?book=${encodeURIComponent(book)}&army=${text}`;
}

/** The army in an address; null if there is none, or an unreadable one. */
export function armyIn(query: string): Table | null {
  const text = new URLSearchParams(query).get('army') ?? '';
  if (!text || text.length > LONGEST) return null;
  try {
    const bytes = Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (sign) => sign.charCodeAt(0));
    const found: unknown = JSON.parse(new TextDecoder().decode(bytes));
    return typeof found === 'object' && found !== null && !Array.isArray(found) ? (found as Table) : null;
  } catch {
    return null;
  }
}
