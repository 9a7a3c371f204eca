import { beforeEach, expect, test } from 'vitest';
import { declined, read, unread } from '../src/battle/declined';
import type { Spoken } from '../src/net/wire';

const said = (side: number, at: number, of?: number): Spoken =>
  of === undefined ? { side, name: '', text: 'x', at } : { side, name: '', text: 'no', at, kind: 'declined', of };

beforeEach(() => localStorage.clear());

test('only the proposer sees that a proposal was turned down', () => {
  const chat = [said(0, 1), said(1, 2, 0), said(1, 3)];
  expect(declined(chat, 0, 0)).toBe(chat[1]);
  expect(declined(chat, 1, 0)).toBeNull();
  expect(declined(chat, null, 0)).toBeNull();
});

test('a note that was read does not return, the next one appears', () => {
  const chat = [said(1, 2, 0)];
  read.keep('b', 0, 2);
  expect(read.last('b', 1)).toBe(0);
  expect(declined(chat, 0, read.last('b', 0))).toBeNull();
  expect(declined([...chat, said(1, 2.5, 0)], 0, read.last('b', 0))?.at).toBe(2.5);
});

const renewal = (at: number): Spoken => ({ side: null, name: 'Campale', text: 'renewed', at, kind: 'renewed', place: 3 });

test('both sides see an upgrade of Campale until they have read about it, a viewer does not', () => {
  const chat = [said(0, 1), renewal(2), said(1, 3, 0)];
  expect([0, 1, null].map((side) => unread(chat, side, 0)?.at ?? null)).toEqual([2, 2, null]);
  expect([0, 1].map((side) => unread(chat, side, 2)?.at ?? null)).toEqual([3, null]);
  expect(unread(chat, 0, 3)).toBeNull();
  expect(unread([...chat, renewal(4)], 1, 3)?.at).toBe(4);
});
