import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { Book, Force } from '../src/net/api';
import { Examining, fileOf, minutesLeft, reportOf, rivals, toldApart } from '../src/lib/laboratory.svelte';

const force = (name: string, points: number, list: string): Force => ({ name, title: name, points, cost: points, list, list_title: list, cards: [] });
const bookOf = (...forces: Force[]) => ({ forces }) as unknown as Book;
const reply = (body: object, status = 200) => Promise.resolve(new Response(JSON.stringify(body), { status }));

describe('the opposing armies', () => {
  test('are those of its size, of other lists first', () => {
    const book = bookOf(force('wolves', 500, 'north'), force('bears', 500, 'north'), force('lions', 500, 'south'), force('whales', 900, 'sea'));
    expect(rivals(book, 'wolves').map((one) => one.name)).toEqual(['lions', 'bears']);
  });

  test('are all others if none has its size', () => {
    const book = bookOf(force('wolves', 500, ''), force('whales', 900, ''));
    expect(rivals(book, 'whales').map((one) => one.name)).toEqual(['wolves']);
  });
});

test('units with equal titles get numbers, others do not', () => {
  const units = ['Raider', 'Jarl', 'Raider'].map((title, place) => ({ place, title }));
  expect(toldApart(units).map((one) => one.title)).toEqual(['Raider 1', 'Jarl', 'Raider 2']);
});

test('the time left is told once a battle was played, and is never zero', () => {
  expect(minutesLeft(60, 0, 100)).toBeNull();
  expect(minutesLeft(60, 10, 100)).toBe(10);
  expect(minutesLeft(1, 10, 10)).toBe(1);
});

describe('the last experiment', () => {
  beforeEach(() => {
    localStorage.clear();
    vi.useFakeTimers();
  });

  test('is followed at its address, and found again', async () => {
    const asked: string[] = [];
    vi.stubGlobal('fetch', (path: string) => (asked.push(path), reply({ id: 'x1', is_running: true, of: 4 })));
    const first = new Examining();
    await first.look();
    expect(asked).toEqual([]);
    await first.begin({ kind: 'first' });
    await vi.advanceTimersByTimeAsync(1000);
    first.close();
    const again = new Examining();
    await again.look();
    again.close();
    expect(asked).toEqual(['/api/experiments', '/api/experiments/x1', '/api/experiments/x1']);
    expect([fileOf('x1'), reportOf('x1', 'it')]).toEqual(['/api/experiments/x1/file', '/api/experiments/x1/report?lang=it']);
  });

  test('is forgotten if the server no longer has it, and kept if the server cannot be reached', async () => {
    localStorage.setItem('campale.experiment', 'x1');
    vi.stubGlobal('fetch', () => Promise.reject(new Error()));
    const examining = new Examining();
    await examining.look();
    expect([localStorage.getItem('campale.experiment'), examining.error !== null]).toEqual(['x1', true]);
    vi.stubGlobal('fetch', () => reply({ word: 'no-experiment', text: '' }, 404));
    await examining.look();
    expect([localStorage.getItem('campale.experiment'), examining.error, examining.shown]).toEqual([null, null, null]);
  });
});
