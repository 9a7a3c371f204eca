/** Questions to the laboratory: what can be asked, and the results. */

import { ApiError, call, type Book, type Force } from '../net/api';
import { Following } from '../net/following.svelte';
import type { Chance } from '../battle/trials.svelte';

export type Kind = 'unit' | 'first' | 'option' | 'missions';
export type Bot = 'script' | 'greedy';

export interface Line {
  name: string;
  battles: number;
  score: Chance;
  won: Chance;
  change: Chance | null;
}

export interface ExperimentShown {
  id: string;
  kind: Kind;
  book: string;
  state: 'planning' | 'playing' | 'done' | 'stopped' | 'late' | 'broken' | 'refused';
  is_running: boolean;
  done: number;
  of: number;
  answer: string;
  head: string;
  lines: Line[];
  refused: string[];
  has_report: boolean;
}

export interface ExperimentWanted {
  book: string;
  kind: Kind;
  force: string;
  against: string;
  unit: number;
  option: string;
  bot: Bot;
  battles: number;
}

/** An entry that an army may have fewer of. */
export interface Spared {
  place: number;
  title: string;
}

const EXPERIMENTS = '/api/experiments';
const KEPT = 'campale.experiment';
const part = encodeURIComponent;

export const questionsOf = (book: string) => call<{ kinds: Kind[] }>(`/api/books/${part(book)}/questions`);
export const sparedOf = (book: string, force: string) => call<Spared[]>(`/api/books/${part(book)}/forces/${part(force)}/units`);
export const fileOf = (id: string): string => `${EXPERIMENTS}/${part(id)}/file`;
export const reportOf = (id: string, language: string): string => `${EXPERIMENTS}/${part(id)}/report?lang=${language}`;

/** The opposing armies: those of its size, from other lists first; if there are none, all others. */
export function rivals(book: Book, name: string): Force[] {
  const own = book.forces.find((one) => one.name === name);
  const others = book.forces.filter((one) => one.name !== name);
  const alike = others.filter((one) => one.points === own?.points);
  const isOwn = (one: Force): number => Number(one.list !== '' && one.list === own?.list);
  return (alike.length ? alike : others).sort((one, other) => isOwn(one) - isOwn(other));
}

/** Repeated titles, distinguished by a number. */
export function toldApart(units: Spared[]): Spared[] {
  const times = (title: string, until = units.length) => units.slice(0, until).filter((one) => one.title === title).length;
  return units.map((one, n) => (times(one.title) < 2 ? one : { ...one, title: `${one.title} ${times(one.title, n + 1)}` }));
}

/** The minutes left, judged by the time for the battles so far; null: unknown. */
export function minutesLeft(seconds: number, played: number, left: number): number | null {
  return played > 0 && seconds > 0 ? Math.max(1, Math.round((seconds / played) * (left / 60))) : null;
}

/** The experiment last begun from this browser. */
export class Examining extends Following<ExperimentShown> {
  constructor() {
    const id = localStorage.getItem(KEPT);
    super(id ? `${EXPERIMENTS}/${part(id)}` : '');
  }

  protected override get origin(): string {
    return EXPERIMENTS;
  }

  protected override came({ id }: ExperimentShown): void {
    this.path = `${EXPERIMENTS}/${part(id)}`;
    localStorage.setItem(KEPT, id);
  }

  /** Forgets an experiment that the server no longer has. */
  override look = async (): Promise<void> => {
    if (!this.path) return;
    await this.ask(this.path);
    if (!(this.error instanceof ApiError) || this.error.status !== 404) return;
    localStorage.removeItem(KEPT);
    [this.path, this.shown, this.error] = ['', null, null];
  };
}
