import { beforeEach, describe, expect, test } from 'vitest';
import { looked } from '../src/lib/looked';
import { written } from '../src/lib/lengths';
import { forget, invitations, keep, seated, seatsOf, tokens } from '../src/lib/seats';
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

  test('that were just made: tokens for me, links for others, nothing of a bot', () => {
    seated({ battle: 'a', seats: [{ side: 0, token: 'mine', join: null }, { side: 1, token: null, join: 'code' }] });
    seated({ battle: 'b', seats: [{ side: 0, token: 'also' }, { side: 1 }] });
    expect(seatsOf('a')).toEqual([{ side: 0, token: 'mine' }]);
    expect(invitations('a')).toEqual([{ side: 1, code: 'code' }]);
    expect([seatsOf('b').length, invitations('b')]).toEqual([1, []]);
  });

  test('that cannot be read are none', () => {
    localStorage.setItem('campale.seats', '{');
    localStorage.setItem('campale.invitations.a', '{');
    expect([seatsOf('a'), tokens(), invitations('a')]).toEqual([[], [], []]);
  });
});

describe('likes', () => {
  test('are as proposed where nothing, or nonsense, was kept', () => {
    for (const text of [null, '', '{', '3', 'null']) expect(read(text).pause).toBe('matters');
  });

  test('that were changed are kept, the rest stays', () => {
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

test('lengths in the unit of the book, and in the other beside', () => {
  expect(written(6, 'inch', 'en', false)).toBe('6″');
  expect(written(6, 'inch', 'it', true)).toBe('6″ (15,2 cm)');
  expect(written(10, 'cm', 'en', true)).toBe('10 cm (3.9″)');
});
