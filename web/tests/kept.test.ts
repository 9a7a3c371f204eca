import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { looked } from '../src/battle/looked';
import { written } from '../src/lib/lengths';
import { forget, invitations, keep, lend, linkToSeats, seated, seatsOf, sitByLink, takeBack, tokens } from '../src/net/seats';
import { read, settings } from '../src/lib/settings.svelte';
import { ago, clock } from '../src/lib/times';

beforeEach(() => localStorage.clear());

describe('seats', () => {
  test('are kept by battle, one token for each side', () => {
    keep('a', [{ side: 1, token: 'old' }]);
    keep('a', [{ side: 1, token: 'new' }, { side: 0, token: 'mine' }]);
    keep('b', [{ side: 0, token: 'other' }]);
    expect(seatsOf('a')).toEqual([{ side: 0, token: 'mine' }, { side: 1, token: 'new' }]);
    expect(tokens()).toEqual(['mine', 'new', 'other']);
    forget('a');
    expect([seatsOf('a'), tokens()]).toEqual([[], ['other']]);
  });

  test('new ones: tokens for me, links for others, nothing for a bot', () => {
    seated({ battle: 'a', seats: [{ side: 0, token: 'mine', join: null }, { side: 1, token: null, join: 'code' }] });
    seated({ battle: 'b', seats: [{ side: 0, token: 'also' }, { side: 1 }] });
    expect(seatsOf('a')).toEqual([{ side: 0, token: 'mine' }]);
    expect(invitations('a')).toEqual([{ side: 1, code: 'code' }]);
    expect([seatsOf('b').length, invitations('b')]).toEqual([1, []]);
  });

  test('unreadable ones are none', () => {
    localStorage.setItem('campale.seats', '{');
    localStorage.setItem('campale.invitations.a', '{');
    expect([seatsOf('a'), tokens(), invitations('a')]).toEqual([[], [], []]);
  });
});

describe('seats on the way to another device', () => {
  const FIRST = { side: 0, token: 'a'.repeat(43) };
  const SECOND = { side: 1, token: 'b-_'.repeat(14) };
  const HERE = 'https://club.example';
  const opened = (address: string) => {
    localStorage.clear();
    vi.stubGlobal('location', new URL(address, HERE));
    const replaceState = (_: unknown, __: string, way: string) => vi.stubGlobal('location', new URL(way, HERE));
    vi.stubGlobal('history', { state: null, replaceState });
  };
  beforeEach(() => opened('/'));
  afterEach(() => vi.unstubAllGlobals());

  test('stand behind the # of a link, and leave the address when it is opened', () => {
    keep('abc', [FIRST, SECOND]);
    const link = linkToSeats('abc');
    expect(new URL(link).pathname).toBe('/b/abc');
    expect(new URL(link).search).toBe('');
    opened(link);
    expect(sitByLink()).toBe(true);
    expect(seatsOf('abc')).toEqual([FIRST, SECOND]);
    expect([location.pathname, location.hash]).toEqual(['/b/abc', '']);
    expect(sitByLink()).toBe(false);
  });

  test('do not replace a seat that is there', () => {
    opened(`/b/abc#seat=0.${'c'.repeat(43)},1.${SECOND.token}`);
    keep('abc', [FIRST]);
    expect(sitByLink()).toBe(true);
    expect(seatsOf('abc')).toEqual([FIRST, SECOND]);
  });

  test.each(['/b/abc#seat=', '/b/abc#seat=2.' + 'a'.repeat(43), '/b/abc#seat=0.short', '/b/abc#other', '/rules#seat=0.' + 'a'.repeat(43)])(
    'are none in %s',
    (way) => {
      opened(way);
      expect([sitByLink(), tokens()]).toEqual([false, []]);
    },
  );

  test('of an account are lent while a member is signed in, and never in a link', () => {
    lend('abc', FIRST);
    expect([seatsOf('abc'), tokens(), linkToSeats('abc').includes(FIRST.token)]).toEqual([[FIRST], [], false]);
    keep('abc', [SECOND]);
    expect(seatsOf('abc')).toEqual([SECOND]);
    takeBack();
    forget('abc');
    expect(seatsOf('abc')).toEqual([]);
  });
});

describe('likes', () => {
  test('have their defaults if nothing, or nonsense, was kept', () => {
    for (const text of [null, '', '{', '3', 'null']) expect(read(text).pause).toBe('matters');
  });

  test('changed ones are kept, the rest stays', () => {
    settings.change({ theme: 'dark' });
    expect(read(localStorage.getItem('campale.likes'))).toMatchObject({ theme: 'dark', hand: 'right' });
    expect(document.documentElement.dataset.theme).toBe('dark');
  });
});

test('how far a journal was read', () => {
  expect(looked.last('a')).toBe(0);
  looked.keep('a', 17);
  looked.keep('', 3);
  expect([looked.last('a'), looked.last('b'), looked.last('')]).toEqual([17, 0, 0]);
});

test.each([[0, '0:00'], [7, '0:07'], [59.2, '1:00'], [750, '12:30'], [3723, '1:02:03']])('%d seconds on a clock', (seconds, text) =>
  expect(clock(seconds)).toBe(text),
);

test('how long ago', () => {
  expect([ago(90, 'en'), ago(7200, 'en'), ago(86400, 'it')]).toEqual(['2 minutes ago', '2 hours ago', 'ieri']);
});

test('lengths in the unit of the book, with the other unit beside it', () => {
  expect(written(6, 'inch', 'en', false)).toBe('6″');
  expect(written(6, 'inch', 'it', true)).toBe('6″ (15,2 cm)');
  expect(written(10, 'cm', 'en', true)).toBe('10 cm (3.9″)');
});
