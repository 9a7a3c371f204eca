/** The seasons of the club: their data, and the requests about them. */

import { ask, type SeatFound } from './club';

export type Result = 'one' | 'two' | 'draw' | 'none';
export const RESULTS: Result[] = ['one', 'two', 'draw', 'none'];

export interface SeasonLine {
  season: string;
  title: string;
  book: string;
  book_title: string;
  kind: 'swiss' | 'robin';
  stage: 'joining' | 'running' | 'over';
}

export interface Entrant {
  number: number;
  account: string | null;
  name: string | null;
  has_left: boolean;
}

/** `by`: who entered the result; it `counts` once both players, or a battle, or an organiser have said it. */
export interface Pairing {
  place: number;
  one: number;
  two: number | null;
  result: Result | null;
  by: number | null;
  counts: boolean;
  battle: string | null;
}

export interface Round {
  number: number;
  mission: string;
  begun: number;
  deadline: number | null;
  pairings: Pairing[];
}

export interface Placed {
  place: number;
  number: number;
  points: number;
  against: number;
  beaten: number;
  played: number;
  won: number;
  drawn: number;
  lost: number;
}

export interface Season extends SeasonLine {
  about: string;
  rounds: number;
  missions: string[];
  entrants: Entrant[];
  played: Round[];
  standings: Placed[];
  mine: number | null;
  points: number | null;
}

export interface SeasonWanted {
  title: string;
  book: string;
  kind: 'swiss' | 'robin';
  rounds: number;
  missions: string[];
  about: string;
  points: number | null;
}

const part = encodeURIComponent;

export const seasons = {
  all: () => ask<SeasonLine[]>('/seasons'),
  one: (id: string) => ask<Season>(`/seasons/${part(id)}`),
  make: (wanted: SeasonWanted) => ask<{ season: string }>('/seasons', wanted),
  enter: (id: string) => ask<void>(`/seasons/${part(id)}/enter`, {}),
  withdraw: (id: string) => ask<void>(`/seasons/${part(id)}/withdraw`, {}),
  pair: (id: string, deadline: number | null) => ask<void>(`/seasons/${part(id)}/pair`, { deadline }),
  result: (id: string, round: number, place: number, result: Result) =>
    ask<void>(`/seasons/${part(id)}/result`, { round, place, result }),
  confirm: (id: string, round: number, place: number) =>
    ask<void>(`/seasons/${part(id)}/confirm`, { round, place }),
  battle: (id: string, round: number, place: number, battle: string) =>
    ask<void>(`/seasons/${part(id)}/battle`, { round, place, battle }),
  play: (id: string, round: number, place: number) =>
    ask<SeatFound>(`/seasons/${part(id)}/play`, { round, place }),
  end: (id: string) => ask<void>(`/seasons/${part(id)}/end`, {}),
  remove: (id: string) => ask<void>(`/seasons/${part(id)}/remove`, {}),
};

/** The end of a picked day, in seconds since the epoch; null: no day. */
export function endOf(day: string): number | null {
  const at = new Date(`${day}T23:59:59`).getTime();
  return Number.isFinite(at) ? at / 1000 : null;
}
