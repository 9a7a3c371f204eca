import { beforeEach, describe, expect, test } from 'vitest';
import type { Book } from '../src/net/api';
import { armies, armyOf, forgetArmy, keepArmy, newId, type Army } from '../src/lib/armies';
import { Choosing } from '../src/lib/choosing.svelte';
import { base64, brought, counted, parts, type ListLine, type ListRead, type Mend } from '../src/lib/lists';

beforeEach(() => localStorage.clear());

const army = (id: string, points = 80, book = 'drill'): Army => ({ id, book, name: `Army ${id}`, points, plain: { id } });

describe('armies of one’s own', () => {
  test('are kept by book, newest first, and forgotten', () => {
    for (const one of [army('a'), army('b'), army('c', 80, 'other')]) keepArmy(one);
    expect(armies('drill').map((one) => one.id)).toEqual(['b', 'a']);
    expect(armyOf('c')?.book).toBe('other');
    forgetArmy('b');
    expect(armies('drill').map((one) => one.id)).toEqual(['a']);
  });

  test('of the same id replace the one before', () => {
    keepArmy(army('a', 80));
    keepArmy(army('a', 90));
    expect(armies().map((one) => one.points)).toEqual([90]);
  });

  test('unreadable ones are none', () => {
    localStorage.setItem('campale.armies', '[{"id": 1}, null, 7]');
    expect(armies()).toEqual([]);
    localStorage.setItem('campale.armies', '{');
    expect(armies()).toEqual([]);
  });

  test('have ids of their own', () => expect(newId()).not.toBe(newId()));

  test('raise the size of a battle to the smallest that they fit', () => {
    const terms = [{ name: 'points', title: '', rule: { id: '', title: '' }, values: [], default: 100, between: null }];
    const book = { name: 'drill', forces: [], options: [], sizes: [100, 200], agreements: terms, size: 'points' } as unknown as Book;
    const sized = (points: number) => {
      const one = new Choosing(book, 'Ann');
      one.bring(0, army('a', points));
      return [one.size, one.wanted().forces[0]];
    };
    expect(sized(80)).toEqual([100, { id: 'a' }]);
    expect(sized(150)).toEqual([200, { id: 'a' }]);
    expect(sized(900)).toEqual([900, { id: 'a' }]);
  });
});

const line = (text: string, fate: ListLine['fate'], unit: number | null): ListLine => ({ text, fate, unit, depth: 0, whys: [] });
const mend = (name: string, at: number): Mend => ({
  name,
  line: at,
  title: name,
  kind: 'text',
  value: '',
  choices: [],
  least: 0,
  most: 0,
  is_needed: false,
});
const READ: ListRead = {
  program: '',
  name: '',
  lines: [line('Head', 'noted', null), line('Lord', 'played', 0), line('Lamp', 'not-understood', 0), line('Squad', 'by-hand', 1)],
  mends: [mend('lamp', 2), mend('base', 3)],
  checks: [],
  refused: [],
  reasons: [],
  plain: null,
  force: null,
};

describe('a list read by the server', () => {
  test('is counted by fates', () =>
    expect(counted(READ.lines)).toEqual([['not-understood', 1], ['by-hand', 1], ['played', 1], ['noted', 1]]));

  test('is shown unit by unit, each with its worst fate and its details to fill in', () =>
    expect(parts(READ, 'Army').map((one) => [one.title, one.fate, one.lines.length, one.mends.map((each) => each.name)])).toEqual([
      ['Army', 'noted', 1, []],
      ['Lord', 'not-understood', 2, ['lamp']],
      ['Squad', 'by-hand', 1, ['base']],
    ]));

  test('is sent in base64', async () => {
    const bytes = Uint8Array.from({ length: 70_000 }, (_, k) => k % 256);
    expect(Uint8Array.from(atob(base64(bytes)), (sign) => sign.charCodeAt(0))).toEqual(bytes);
    expect(await brought(new File(['<a/>'], 'a.ros'))).toEqual({ data: btoa('<a/>') });
    await expect(brought({ size: 5_000_000, arrayBuffer: () => Promise.reject(new Error()) })).rejects.toThrow();
  });
});
