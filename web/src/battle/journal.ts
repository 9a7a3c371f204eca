/** The journal in chapters, filtered. */

import type { Line } from '../net/wire';

export interface Wanted {
  side: number | null;
  /** The rows of a unit's models; empty for all. */
  models: number[];
  isDice: boolean;
  phase: string;
}

export const ALL: Wanted = { side: null, models: [], isDice: false, phase: '' };

/** An entry among the lines that is no event: `place` answers come before it. */
export interface Noted {
  text: string;
  place?: number | null;
}

/** A line with its place in the journal. */
export interface Placed {
  n: number;
  line: Line;
  /** No event of the battle: an upgrade of Campale. */
  isNote?: boolean;
}

/** The lines from one turn's heading to the next. */
export interface Chapter {
  /** The place of its heading in the journal; -1 before the first heading. */
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
 * The wanted lines, by turn. Headings within a turn stay if something follows them. With everything wanted, a note with
 * a place stands before the first line that happened later; notes have negative numbers.
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

/** The phases in the order in which they first occur. */
export function phases(lines: Line[]): string[] {
  return [...new Set(lines.map((line) => line.phase ?? '').filter(Boolean))];
}
