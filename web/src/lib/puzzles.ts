/** Puzzles: setting them up, and which ones are solved, as this browser remembers. */

import { ApiError, call, type Created } from '../net/api';
import { seated } from '../net/seats';

export interface PuzzleLine {
  name: string;
  title: string;
  text: string;
}

export interface BookOfPuzzles {
  book: string;
  title: string;
  puzzles: PuzzleLine[];
}

/** A book's puzzle by its name, or the text of the player's own file. */
export type PuzzleWanted = { name: string } | { text: string; file: string };

const SOLVED = 'campale.puzzles.solved';
const OWN = 'campale.puzzle.';
const LARGEST = 256 * 1024;

export const listed = (): Promise<BookOfPuzzles[]> => call('/api/puzzles');

/** Sets up a puzzle and takes the seat. Returns its page. */
export async function begun(wanted: PuzzleWanted): Promise<string> {
  const made = await call<Created>('/api/puzzles', { body: wanted });
  seated(made);
  if ('text' in wanted) sessionStorage.setItem(OWN + made.battle, JSON.stringify(wanted));
  return `/b/${made.battle}`;
}

/** The same puzzle again; null: it came from a file that this tab no longer has. */
export function again(name: string, battle: string): PuzzleWanted | null {
  return name ? { name } : (JSON.parse(sessionStorage.getItem(OWN + battle) ?? 'null') as PuzzleWanted | null);
}

/** The next puzzle of the same book; null: it was the last, or belongs to no book. */
export function after(name: string, books: BookOfPuzzles[]): string | null {
  for (const { puzzles } of books) {
    const at = puzzles.findIndex((one) => one.name === name);
    if (at >= 0) return puzzles[at + 1]?.name ?? null;
  }
  return null;
}

export function solved(): Set<string> {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(SOLVED) ?? '[]');
    return new Set(Array.isArray(found) ? found.filter((one) => typeof one === 'string') : []);
  } catch {
    return new Set();
  }
}

export function solve(name: string): void {
  if (name) localStorage.setItem(SOLVED, JSON.stringify([...solved().add(name)]));
}

/** A file ready to be sent. Throws an ApiError if it is too large. */
export async function fileOf(file: Pick<File, 'name' | 'size' | 'text'>): Promise<PuzzleWanted> {
  if (file.size > LARGEST) throw new ApiError('puzzle.large', '', 0);
  return { text: await file.text(), file: file.name };
}
