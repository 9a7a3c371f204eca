/** What a turn has changed for both sides: losses and wounds, places that changed hands, the score. */

import { isOut } from './units';
import type { Line, ModelShown, StandingShown, UnitShown } from '../net/wire';

/** A battle as it stood when a turn began. */
export interface Stood {
  /** Which turn it is, and whose (null: everybody's). */
  turn: string;
  side: number | null;
  /** The number of journal lines at that point. */
  count: number;
  models: ModelShown[];
  standing: StandingShown;
}

export interface Change {
  kind: 'lost' | 'lost.some' | 'down' | 'wounds' | 'place' | 'score' | 'nothing';
  side: number | null;
  /** The values for its words; for a place, the words themselves. */
  values: Record<string, string | number>;
  models: number[];
  /** The place of its line in the journal. */
  line: number;
}

export interface Happened {
  side: number | null;
  title: string;
  changes: Change[];
}

export interface Seen {
  models: ModelShown[];
  units: UnitShown[];
  lines: Line[];
  moment: { standing?: StandingShown | null };
}

/** The end of a turn as it was then, with the words of the page as it is now: its language may have changed since. */
export function ended(then: Seen, now: Seen): Seen {
  const { standing } = then.moment;
  const places = standing?.places?.map((place, n) => {
    const shown = now.moment.standing?.places?.[n];
    return shown && shown.side === place.side ? shown : place;
  });
  const moment = { standing: standing && { ...standing, places } };
  return { models: then.models, units: now.units, lines: now.lines.slice(0, then.lines.length), moment };
}

/** The events of a turn, the viewer's own losses first. */
export function happened(before: Stood, now: Seen, mine: number | null): Happened {
  const sides = mine === 1 ? [1, 0] : [0, 1];
  const last = lastOf(before, now.lines);
  const changes = [...sides.flatMap((side) => losses(before, now, side)), ...places(before, now, last), ...score(before, now, last)];
  const isQuiet = !changes.some((one) => one.kind !== 'score');
  const nothing: Change = { kind: 'nothing', side: null, values: {}, models: [], line: last };
  const title = headingOf(before, now.lines) ?? before.standing.length ?? '';
  return { side: before.side, title, changes: isQuiet ? [nothing, ...changes] : changes };
}

/** The heading of the turn in the journal. */
function headingOf(before: Stood, lines: Line[]): string | undefined {
  return lines.slice(0, before.count + 1).findLast((line) => line.level === 1)?.text;
}

/** The last line of the turn: the heading of the next turn does not belong to it. */
function lastOf(before: Stood, lines: Line[]): number {
  const next = lines.findIndex((line, n) => n > before.count && line.level === 1);
  return Math.max(0, (next < 0 ? lines.length : next) - 1);
}

function losses(before: Stood, now: Seen, side: number): Change[] {
  return now.units.flatMap((unit): Change[] => {
    if (unit?.side !== side) return [];
    const stood = unit.models.filter((row) => before.models[row] && !isOut(before.models[row]));
    const lost = stood.filter((row) => isOut(now.models[row]));
    const hurt = stood.filter((row) => !lost.includes(row) && wounds(before.models[row]) > wounds(now.models[row]));
    const count = hurt.reduce((sum, row) => sum + wounds(before.models[row]) - wounds(now.models[row]), 0);
    const told = { side, line: -1 };
    const all: Change[] = [];
    if (lost.length && lost.length === stood.length && lost.every((row) => now.models[row]?.is_down))
      all.push({ ...told, kind: 'down', values: { unit: unit.name }, models: lost });
    else if (lost.length && lost.length === stood.length)
      all.push({ ...told, kind: 'lost', values: { unit: unit.name }, models: lost });
    else if (lost.length)
      all.push({ ...told, kind: 'lost.some', values: { unit: unit.name, count: lost.length, left: stood.length - lost.length }, models: lost });
    if (count) all.push({ ...told, kind: 'wounds', values: { unit: unit.name, count }, models: hurt });
    return all.map((one) => ({ ...one, line: lineOf(before, now.lines, one.models) }));
  });
}

function wounds(model: ModelShown | undefined): number {
  return model?.wounds?.[0] ?? 0;
}

/** The last line since then that is about one of the models. */
function lineOf(before: Stood, lines: Line[], rows: number[]): number {
  const found = lines.findLastIndex((line, n) => n >= before.count && line.models?.some((row) => rows.includes(row)));
  return found < 0 ? lastOf(before, lines) : found;
}

function places(before: Stood, now: Seen, line: number): Change[] {
  const was = before.standing.places ?? [];
  return (now.moment.standing?.places ?? []).flatMap((place, n): Change[] => {
    const side = place.side ?? -1;
    if (!was[n] || (was[n].side ?? -1) === side) return [];
    return [{ kind: 'place', side: side < 0 ? null : side, values: { text: place.text }, models: [], line }];
  });
}

function score(before: Stood, now: Seen, line: number): Change[] {
  const [was, is] = [before.standing.score, now.moment.standing?.score];
  if (!is) return [];
  const values = { score: is.join('–'), was: (was ?? is).join('–') };
  return [{ kind: 'score', side: null, values, models: [], line }];
}
