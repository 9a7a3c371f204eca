/** Requests to the club over HTTP, with the token of the session. */

import { call } from './api';

export type Role = 'member' | 'organiser';

export interface Me {
  id: string;
  name: string;
  role: Role;
  created: number;
}

export interface SignedIn {
  token: string;
  me: Me;
}

/** With a name: the invitation lets that account choose a new pass phrase. */
export interface InvitationTo {
  role: Role;
  until: number;
  name: string | null;
}

export interface OpenInvitation extends InvitationTo {
  id: string;
  note: string;
}

export interface Member extends Me {
  seen: number | null;
}

export interface ClubTable {
  battle: string;
  book: string;
  title: string;
  stage: string;
  players: { name: string; account: string | null; is_open: boolean }[];
  winner: number | null;
  result: string | null;
  created: number;
  updated: number;
}

/** The seat of the account in a battle; null: none. */
export interface SeatHeld {
  side: number | null;
}

/** The member's seat in a battle; a `code` means that nobody sits there yet, and lets him sit down. */
export interface SeatFound {
  battle: string;
  code: string | null;
}

export interface Rung {
  account: string;
  name: string;
  rating: number;
  won: number;
  drawn: number;
  lost: number;
}

const KEPT = 'campale.session';

export function session(): string {
  return localStorage.getItem(KEPT) ?? '';
}

export function keepSession(token: string): void {
  if (token) localStorage.setItem(KEPT, token);
  else localStorage.removeItem(KEPT);
}

const part = encodeURIComponent;

/** The page on which he sits down, or plays. */
export const wayTo = ({ battle, code }: SeatFound) => (code ? `/join/${code}` : `/b/${battle}`);

/** The link of an invitation. */
export const linkTo = ({ code }: { code: string }) => `${location.origin}/club/come/${code}`;

export function ask<T>(path: string, body?: unknown): Promise<T> {
  return call<T>(`/api/club${path}`, { token: session(), body });
}

export const club = {
  is: () => ask<{ is_there: boolean; me: Me | null }>(''),
  invited: (code: string) => ask<InvitationTo>(`/come/${part(code)}`),
  come: (code: string, name: string, phrase: string) => ask<SignedIn>('/come', { code, name, phrase }),
  signIn: (name: string, phrase: string) => ask<SignedIn>('/sign-in', { name, phrase }),
  signOut: (everywhere: boolean) => ask<void>('/sign-out', { everywhere }),
  phrase: (old: string, chosen: string) => ask<SignedIn>('/phrase', { old, new: chosen }),
  data: () => ask<unknown>('/data'),
  leave: (phrase: string) => ask<void>('/leave', { phrase }),
  battles: () => ask<ClubTable[]>('/battles'),
  claim: (seat: string) => ask<void>('/battles', { seat }),
  held: (battle: string) => ask<SeatHeld>(`/battles/${part(battle)}/seat`),
  seat: (battle: string) => ask<SeatFound>(`/battles/${part(battle)}/seat`, {}),
  letGo: (battle: string) => ask<void>(`/battles/${part(battle)}/let-go`, {}),
  ladder: (book: string) => ask<Rung[]>(book ? `/ladder?book=${part(book)}` : '/ladder'),
  members: () => ask<Member[]>('/members'),
  role: (account: string, role: Role) => ask<void>(`/members/${part(account)}/role`, { role }),
  remove: (account: string) => ask<void>(`/members/${part(account)}/remove`, {}),
  invitations: () => ask<OpenInvitation[]>('/invitations'),
  invite: (wanted: { role?: Role; days?: number; note?: string; account?: string }) =>
    ask<{ code: string; until: number }>('/invitations', wanted),
  withdraw: (invitation: string) => ask<void>(`/invitations/${part(invitation)}/withdraw`, {}),
  tables: () => ask<ClubTable[]>('/tables'),
};
