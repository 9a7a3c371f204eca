/** The player's own armies, kept in this browser. */

import type { Plain } from '../net/wire';

export interface Army {
  id: string;
  book: string;
  name: string;
  points: number;
  plain: { [key: string]: Plain };
}

const KEPT = 'campale.armies';
const MOST = 40;

/** All kept armies, newest first; unreadable storage counts as empty. */
export function armies(book = ''): Army[] {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(KEPT) ?? '[]');
    return Array.isArray(found) ? found.filter(isArmy).filter((one) => !book || one.book === book) : [];
  } catch {
    return [];
  }
}

function isArmy(one: unknown): one is Army {
  const { id, book, name, plain } = (one ?? {}) as Partial<Army>;
  return [id, book, name].every((word) => typeof word === 'string') && typeof plain === 'object' && plain !== null;
}

export function armyOf(id: string): Army | undefined {
  return armies().find((one) => one.id === id);
}

/** Keeps an army; it replaces one with the same id. False if the browser has no room for it. */
export function keepArmy(army: Army): boolean {
  const others = armies().filter((one) => one.id !== army.id);
  try {
    localStorage.setItem(KEPT, JSON.stringify([army, ...others].slice(0, MOST)));
    return true;
  } catch {
    return false;
  }
}

export function forgetArmy(id: string): void {
  localStorage.setItem(KEPT, JSON.stringify(armies().filter((one) => one.id !== id)));
}

export function newId(): string {
  return crypto.getRandomValues(new Uint32Array(2)).reduce((text, one) => text + one.toString(36), 'a');
}
