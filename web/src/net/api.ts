/** Requests to the server over HTTP. */

import type { Card, LuckReport, PieceShown, Plain, Replay, RuleShown, SeatShown } from './wire';
import { tongue } from '../lib/words.svelte';

/** The server's own words for an error; `word` is a key; `status` is 0 if the server could not be reached. */
export class ApiError extends Error {
  constructor(
    readonly word: string,
    text: string,
    readonly status: number,
    readonly reasons: string[] = [],
  ) {
    super(text);
  }
}

export interface Named {
  name: string;
  title: string;
}

/** A rule with its text; `spoken` is the language of the text. */
export interface RuleTold {
  id: string;
  title: string;
  text: string;
  spoken: string;
}

/** A value to choose, with the rules about it if they are told beforehand. */
export interface Valued {
  value: Plain;
  text: string;
  rules?: RuleTold[];
}

/** `reads_lists`: whether it turns lists of other programs into armies. */
/** A rulebook that is installed but cannot be played, and why. */
export interface BookOff {
  name: string;
  package: string;
  why: string;
}

export interface BookShort extends Named {
  unit: string;
  is_complete: boolean;
  reads_lists: boolean;
  missions: Named[];
}

/** An optional rule, or a ruling that may be settled differently. */
export interface OptionOfBook extends Named {
  rule: RuleShown;
  text: string;
  values: Valued[];
  default: Plain;
}

/** An agreement before a battle; any whole number within `between` is allowed, too. */
export interface Term extends Named {
  rule: RuleShown;
  values: Valued[];
  default: Plain;
  between: [number, number] | null;
}

export interface Layout extends Named {
  width: number;
  depth: number;
  pieces: PieceShown[];
}

export interface CardOfForce {
  unit: string;
  title: string;
  count: number;
  points: number;
  card: Card;
}

export interface Force extends Named {
  points: number;
  cost: number;
  list: string;
  list_title: string;
  cards: CardOfForce[];
}

export interface Ready {
  title: string;
  agreed: Record<string, Plain>;
  forces: string[];
}

/** `mission`, `layout` and `size` name the agreements that settle these; empty: none does. */
export interface Book extends BookShort {
  ready: Ready[];
  options: OptionOfBook[];
  layouts: Layout[];
  forces: Force[];
  sizes: number[];
  agreements: Term[];
  mission: string;
  layout: string;
  size: string;
}

export interface Judged {
  reasons: string[];
  force: Force | null;
}

/** `chapter` is the beginning of its id, `heading` the book's name for it. */
export interface RuleOfBook {
  id: string;
  title: string;
  chapter: string;
  heading: string;
}

export interface RuleText {
  id: string;
  title: string;
  text: string;
  ruling: string | null;
  text_language: string;
  source: string;
  needs: RuleShown[];
  code: { file: string; line: number; name: string; source: string }[];
}

/** A force by its name, one of the player's own, or none so far. */
export type ForceWanted = string | { [key: string]: Plain } | null;

export interface SeatWanted {
  kind: 'me' | 'link' | 'bot';
  name?: string;
  strength?: 'random' | 'script' | 'greedy' | 'search';
}

/** Seconds for the whole battle, for each reaction, and the seconds that every answer adds. */
export interface ClockWanted {
  main: number;
  reaction?: number;
  increment?: number;
}

export interface BattleWanted {
  book: string;
  agreed: Record<string, Plain>;
  options: Record<string, Plain>;
  forces: ForceWanted[];
  seats: SeatWanted[];
  dice: 'server' | 'real';
  clock: ClockWanted | null;
}

/** The opponent when a battle goes on: a bot, or a player at the same screen. */
export type Against = 'greedy' | 'search' | 'script' | 'random' | 'me';

export interface Created {
  battle: string;
  seats: { side: number; kind: string; token?: string | null; join?: string | null }[];
}

export interface MyBattle {
  battle: string;
  side: number;
  book: string;
  title: string;
  stage: string;
  whose_turn: number[];
  updated: number;
  /** Whether the battle counts for the account that is signed in. */
  is_counted: boolean;
}

/** What anybody may know about a battle. */
export interface Summary {
  battle: string;
  book: string;
  title: string;
  stage: string;
  dice: string;
  commitment: string;
  seats: SeatShown[];
  created: number;
  updated: number;
  result?: string | null;
}

export interface Joining {
  battle: string;
  side: number;
  book: string;
  title: string;
  by: string;
  /** The person for whom the seat is kept; empty: anybody. */
  name: string;
  is_open: boolean;
  needs_force: boolean;
  lines: [string, string, string][];
  agreed: Record<string, Plain>;
}

interface Wanted {
  token?: string;
  body?: unknown;
}

/** The server's answer; undefined if it is empty. */
export async function call<T>(path: string, { token, body }: Wanted = {}): Promise<T> {
  const headers: Record<string, string> = { 'Accept-Language': tongue.language };
  if (token) headers.Authorization = `Bearer ${token}`;
  if (body !== undefined) headers['Content-Type'] = 'application/json';
  const method = body === undefined ? 'GET' : 'POST';
  const sent = body === undefined ? undefined : JSON.stringify(body);
  let reply: Response;
  try {
    reply = await fetch(path, { method, headers, body: sent });
  } catch {
    throw new ApiError('error.offline', '', 0);
  }
  if (!reply.ok) throw await failure(reply);
  return (reply.status === 204 ? undefined : await reply.json()) as T;
}

async function failure(reply: Response): Promise<ApiError> {
  const fallback = reply.status >= 500 ? 'error.server' : 'error.unknown';
  try {
    const { word, text, reasons } = (await reply.json()) as { word?: string; text?: string; reasons?: string[] };
    return new ApiError(word ?? fallback, text ?? '', reply.status, reasons ?? []);
  } catch {
    return new ApiError(fallback, '', reply.status);
  }
}

const part = encodeURIComponent;

export const api = {
  books: () => call<BookShort[]>('/api/books'),
  booksOff: () => call<BookOff[]>('/api/books-off'),
  compiling: () => call<{ done: number; of: number }>('/api/compiling'),
  book: (name: string) => call<Book>(`/api/books/${part(name)}`),
  rules: (book: string, sought = '') =>
    call<RuleOfBook[]>(`/api/books/${part(book)}/rules${sought ? `?seek=${part(sought)}` : ''}`),
  rule: (book: string, id: string) =>
    call<RuleText>(`/api/books/${part(book)}/rules/${id.split('/').map(part).join('/')}`),
  judge: (book: string, force: ForceWanted, agreed: Record<string, Plain>) =>
    call<Judged>(`/api/books/${part(book)}/force`, { body: { force, agreed } }),
  create: (wanted: BattleWanted) => call<Created>('/api/battles', { body: wanted }),
  demo: (book: string, now = false) => call<Created>('/api/demo', { body: { book, lang: tongue.language, now } }),
  mine: (tokens: string[]) => call<MyBattle[]>('/api/battles/mine', { body: { tokens } }),
  joining: (code: string) => call<Joining>(`/api/join/${part(code)}`),
  join: (code: string, name: string, force: ForceWanted) =>
    call<{ battle: string; side: number; token: string }>('/api/join', { body: { code, name, force } }),
  summary: (battle: string) => call<Summary>(`/api/battles/${part(battle)}`),
  export: (battle: string, token: string) => call<unknown>(`/api/battles/${part(battle)}/export`, { token }),
  import: (game: unknown, isToPlay: boolean) =>
    call<Created>(`/api/import${isToPlay ? '?play=true' : ''}`, { body: game }),
  replay: (battle: string, token = '') => call<Replay>(`/api/battles/${part(battle)}/replay`, { token }),
  forces: (battle: string, token = '') => call<(Force | null)[]>(`/api/battles/${part(battle)}/forces`, { token }),
  luck: (battle: string, token = '') => call<LuckReport>(`/api/battles/${part(battle)}/luck`, { token }),
  branch: (battle: string, at: number, side: number, against: Against, token = '') =>
    call<Created>(`/api/battles/${part(battle)}/branch`, { token, body: { at, side, against } }),
};

/** The address of a battle's socket. */
export function socketOf(battle: string): string {
  return `${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/api/battles/${part(battle)}/socket`;
}
