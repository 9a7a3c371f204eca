/** The journal in chapters, and what of it is wanted. */

import type { Line } from './wire';

export interface Wanted {
  side: number | null;
  /** The rows of the models of a unit; empty for all. */
  models: number[];
  isDice: boolean;
  phase: string;
}

export const ALL: Wanted = { side: null, models: [], isDice: false, phase: '' };

/** What may stand among the lines though nobody did it: so many answers lie before it. */
export interface Noted {
  text: string;
  place?: number | null;
}

/** A line with its place in the journal. */
export interface Placed {
  n: number;
  line: Line;
  /** Nobody did it: that Campale was renewed. */
  isNote?: boolean;
}

/** What is told from one turn's heading to the next. */
export interface Chapter {
  /** The place of its heading in the journal; -1 for what comes before the first. */
  n: number;
  title: string;
  lines: Placed[];
}

export function isWanted(line: Line, wanted: Wanted): boolean {
  if (wanted.side !== null && line.side !== wanted.side) return false;
  if (wanted.isDice && !line.dice) return false;
  if (wanted.phase && line.phase !== wanted.phase) return false;
  return !wanted.models.length || Boolean(line.models?.some((row) => wanted.models.includes(row)));
}

export function isAll(wanted: Wanted): boolean {
  return wanted.side === null && !wanted.models.length && !wanted.isDice && !wanted.phase;
}

/**
 * The lines wanted, by turn. Headings within a turn stay where something follows them. What is noted with a place stands,
 * where all is wanted, before the first line that happened later; its numbers are negative.
 */
export function chapters(lines: Line[], wanted: Wanted = ALL, noted: Noted[] = []): Chapter[] {
  const found: Chapter[] = [{ n: -1, title: '', lines: [] }];
  const notes = isAll(wanted) ? noted.filter((line) => line.place != null) : [];
  let next = 0;
  const note = (before: number) => {
    for (; next < notes.length && (notes[next]!.place ?? 0) < before; next++)
      found.at(-1)!.lines.push({ n: -2 - next, line: { text: notes[next]!.text }, isNote: true });
  };
  let heading: Placed | null = null;
  for (const [n, line] of lines.entries()) {
    note(line.at ?? 0);
    if (line.level === 1) {
      found.push({ n, title: line.text, lines: [] });
      heading = null;
    } else if (line.level === 2) heading = { n, line };
    else if (isWanted(line, wanted)) {
      const chapter = found.at(-1)!;
      if (heading) chapter.lines.push(heading);
      heading = null;
      chapter.lines.push({ n, line });
    }
  }
  note(Infinity);
  return found.filter((chapter) => chapter.lines.length || (chapter.n >= 0 && isAll(wanted)));
}

/** The phases that occur, in the order in which they first do. */
export function phases(lines: Line[]): string[] {
  return [...new Set(lines.map((line) => line.phase ?? '').filter(Boolean))];
}
