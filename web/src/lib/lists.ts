/** Lists of other programs: what the server makes of each line, and what it still needs to be told. */

import { ApiError, call, type Force } from '../net/api';
import type { Army } from './armies';
import type { Plain } from '../net/wire';

export const FATES = ['not-understood', 'by-hand', 'played', 'noted'] as const;
export type Fate = (typeof FATES)[number];

export interface ListLine {
  text: string;
  depth: number;
  fate: Fate;
  whys: string[];
  unit: number | null;
}

/** A detail that the player may fill in, or must (`is_needed`). */
export interface Mend {
  name: string;
  line: number;
  title: string;
  kind: 'choose' | 'number' | 'text';
  value: string;
  choices: { value: string; title: string }[];
  least: number;
  most: number;
  is_needed: boolean;
}

export interface ListRead {
  program: string;
  name: string;
  lines: ListLine[];
  mends: Mend[];
  checks: { is_right: boolean; text: string }[];
  refused: string[];
  reasons: string[];
  plain: { [key: string]: Plain } | null;
  force: Force | null;
}

/** What the player brings: a text, or a file in base64. */
export interface Brought {
  text?: string;
  data?: string;
}

export type Mends = Record<string, string>;

const LARGEST = 4_000_000;
const MOST_KNOWN = 8;

export function readList(book: string, brought: Brought, mends: Mends, known: Army[]): Promise<ListRead> {
  const own = known.slice(0, MOST_KNOWN).map((one) => one.plain);
  return call<ListRead>(`/api/books/${encodeURIComponent(book)}/list`, { body: { ...brought, mends, known: own } });
}

/** A file ready to be sent. Throws an ApiError if it is larger than any list. */
export async function brought(file: Pick<File, 'size' | 'arrayBuffer'>): Promise<Brought> {
  if (file.size > LARGEST) throw new ApiError('error.large', '', 0);
  return { data: base64(new Uint8Array(await file.arrayBuffer())) };
}

export function base64(bytes: Uint8Array): string {
  const parts: string[] = [];
  for (let at = 0; at < bytes.length; at += 32_768) parts.push(String.fromCharCode(...bytes.subarray(at, at + 32_768)));
  return btoa(parts.join(''));
}

/** How many lines met each fate. */
export function counted(lines: ListLine[]): [Fate, number][] {
  return FATES.map((fate): [Fate, number] => [fate, lines.filter((one) => one.fate === fate).length]);
}

export interface Part {
  unit: number | null;
  title: string;
  fate: Fate;
  lines: ListLine[];
  mends: Mend[];
}

/** The lines unit by unit, those of the whole army first, each with its details to fill in. */
export function parts(read: ListRead, army: string): Part[] {
  const units = [...new Set(read.lines.map((one) => one.unit))].sort((a, b) => (a ?? -1) - (b ?? -1));
  return units.map((unit) => {
    const lines = read.lines.filter((one) => one.unit === unit);
    const mends = read.mends.filter((one) => (read.lines[one.line]?.unit ?? null) === unit);
    const fate = FATES.find((one) => lines.some((line) => line.fate === one)) ?? 'noted';
    return { unit, title: unit === null ? army : (lines[0]?.text ?? ''), fate, lines, mends };
  });
}
