/** Odds without a battle, as the server tells them (screen/inquiring.py). */

import { call } from '../net/api';
import type { Forecast, Plain, RuleShown, Stage } from '../net/wire';

export interface Pick {
  value: Plain;
  title: string;
  under: string;
}

export interface Field {
  name: string;
  title: string;
  kind: 'choice' | 'several' | 'number' | 'counted' | 'figure';
  part: string;
  value: Plain;
  text: string;
  picks: Pick[];
  rule: RuleShown | null;
  between: [number, number];
  step: number;
  unit: string;
  trouble: string;
}

export interface Outcome {
  link: string;
  title: string;
  volleys: Forecast[];
  over: Stage[];
  losses: Stage | null;
  all_of_them: number;
  wiped_out: number | null;
  own_risk: number | null;
  gap: string;
  notes: { text: string; rule: RuleShown | null }[];
}

export interface Inquiry {
  book: string;
  link: string;
  fields: Field[];
  outcome: Outcome | null;
  columns: { values: string[]; outcome: Outcome }[];
  varied: string[];
  orders: { title: string; weapons: string; value: number }[];
  matters: boolean;
  trouble: string;
  written: Written;
  compare: Compare;
  order: Aim;
}

export type Written = Record<string, Plain>;
export type Compare = Record<string, Plain[]>;
export type Aim = '' | 'losses' | 'wipe-out';

/** The whole query: a link, or the values filled in. */
export interface Asked {
  link: string;
  written: Written;
  compare: Compare;
  order: Aim;
}

export const PARTS = ['attack', 'attacker', 'target', 'table', 'policy', 'option'] as const;

/** More than the server reads of any link; the rest of a longer one is not sent. */
const MOST_SIGNS = 8001;

export function asking(some: Partial<Asked> = {}): Asked {
  return { link: '', written: {}, compare: {}, order: '', ...some };
}

export function inquire(book: string, asked: Asked): Promise<Inquiry> {
  const { link, written, order } = asked;
  const body = link ? { link: link.slice(0, MOST_SIGNS) } : { written, order, compare: several(asked.compare) };
  return call<Inquiry>(`/api/books/${encodeURIComponent(book)}/odds`, { body });
}

/** The book that a link names; the server reads the rest of it. */
export function bookOf(query: string): string {
  return new URLSearchParams(query).get('book') ?? '';
}

/** The written values that the form still has: the server leaves out the others, and so does the next question. */
export function kept(written: Written, fields: Field[]): Written {
  return Object.fromEntries(fields.filter((one) => one.name in written).map((one) => [one.name, written[one.name]!]));
}

/** The fields by their part of the form, in the form's order. */
export function byPart(fields: Field[]): [string, Field[]][] {
  return PARTS.map((part): [string, Field[]] => [part, fields.filter((one) => one.part === part)]).filter(
    ([, found]) => found.length > 0,
  );
}

/** The picks under their headings, in order. */
export function byHeading(picks: Pick[]): [string, Pick[]][] {
  const found = new Map<string, Pick[]>();
  for (const pick of picks) found.set(pick.under, [...(found.get(pick.under) ?? []), pick]);
  return [...found];
}

/** What can be compared: numbers, and fields with a choice. */
export function comparable(field: Field): boolean {
  if (field.kind === 'number') return field.between[0] < field.between[1];
  return field.kind === 'several' ? field.picks.length > 0 : ['choice', 'figure'].includes(field.kind) && field.picks.length > 1;
}

/** The values to choose from: for a field with several values none of them, then each of them alone. */
export function beside(field: Field, nothing: string): Pick[] {
  if (field.kind !== 'several') return field.picks;
  return [{ value: [], title: nothing, under: '' }, ...field.picks.map((one) => ({ ...one, value: [one.value] }))];
}

/** The typed numbers that a field may have, each once, in order; the server judges their steps. */
export function numbers(field: Field, text: string): number[] {
  const found = text.split(/[\s;,]+/).filter(Boolean).map(Number);
  const able = found.filter((one) => one >= field.between[0] && one <= field.between[1]);
  return [...new Set(able)].sort((one, other) => one - other);
}

export function alike(one: Plain, other: Plain): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** What is compared: the fields with more than one value. */
export function several(compare: Compare): Compare {
  return Object.fromEntries(Object.entries(compare).filter(([, values]) => values.length > 1));
}

/** The least number not exceeded at least half of the time. */
export function median(chances: [number, number][]): number {
  let sum = 0;
  for (const [number, chance] of chances) {
    sum += chance;
    if (sum >= 0.5 - 1e-12) return number;
  }
  return chances.at(-1)?.[0] ?? 0;
}
