import { beforeEach, expect, test, vi } from 'vitest';
import { keepSession, session } from '../src/net/club';
import { endOf } from '../src/net/seasons';
import { ApiError } from '../src/net/api';
import { signed } from '../src/net/signed.svelte';

const ADA = { id: 'a', name: 'Ada', role: 'member' as const, created: 1 };

beforeEach(() => {
  localStorage.clear();
  signed.out();
});

test('a day ends a second before the next begins, and no day has no end', () => {
  expect(endOf('2026-12-11')).toBe(new Date(2026, 11, 12).getTime() / 1000 - 1);
  expect(endOf('')).toBeNull();
  expect(endOf('soon')).toBeNull();
});

test('a signed-in member is known by the token until it is no longer valid', () => {
  signed.in({ token: 'abc', me: ADA });
  expect([session(), signed.me, signed.isThere]).toEqual(['abc', ADA, true]);
  expect(signed.isOut(new ApiError('club.wrong', '', 401))).toBe(false);
  expect(signed.isOut(new ApiError('club.organisers-only', '', 403))).toBe(false);
  expect(signed.me).toBe(ADA);
  expect(signed.isOut(new ApiError('club.signed-out', '', 401))).toBe(true);
  expect([session(), signed.me]).toEqual(['', null]);
});

test('a server that does not answer signs nobody out', async () => {
  keepSession('abc');
  vi.stubGlobal('fetch', () => Promise.reject(new Error('offline')));
  await signed.look();
  expect(session()).toBe('abc');
  const told = (body: unknown) => Promise.resolve(new Response(JSON.stringify(body)));
  vi.stubGlobal('fetch', () => told({ is_there: true, me: null }));
  await signed.look();
  expect([session(), signed.isThere]).toEqual(['', true]);
  vi.unstubAllGlobals();
});

test('a rematch counts if the battle before did', async () => {
  signed.in({ token: 'abc', me: ADA });
  const asked: [string, unknown][] = [];
  vi.stubGlobal('fetch', (path: string, { body }: { body?: string }) => {
    asked.push([path, body]);
    return Promise.resolve(new Response(JSON.stringify(body ? {} : [{ battle: 'old' }])));
  });
  await signed.goOn('other', 'seat');
  expect(asked).toEqual([['/api/club/battles', undefined]]);
  await signed.goOn('old', 'seat');
  expect(asked.at(-1)).toEqual(['/api/club/battles', '{"seat":"seat"}']);
  vi.unstubAllGlobals();
});
