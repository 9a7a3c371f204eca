import { beforeEach, describe, expect, test, vi } from 'vitest';
import { after, again, begun, fileOf, solve, solved } from '../src/lib/puzzles';
import { seatsOf } from '../src/net/seats';

const BOOKS = [
  { book: 'drill', title: 'Drill', puzzles: ['a', 'b'].map((one) => ({ name: `drill/${one}`, title: one, text: '' })) },
  { book: 'toy', title: 'Toy', puzzles: [{ name: 'toy/a', title: 'a', text: '' }] },
];

beforeEach(() => {
  localStorage.clear();
  vi.stubGlobal('sessionStorage', localStorage);
});

describe('the next puzzle', () => {
  test('belongs to the same book', () => expect(after('drill/a', BOOKS)).toBe('drill/b'));
  test('is none after the last one, nor after one without a book', () => {
    expect([after('drill/b', BOOKS), after('toy/a', BOOKS), after('', BOOKS)]).toEqual([null, null, null]);
  });
});

describe('solved puzzles', () => {
  test('are kept, each once; one without a name is not', () => {
    for (const one of ['drill/a', 'drill/b', 'drill/a', '']) solve(one);
    expect([...solved()]).toEqual(['drill/a', 'drill/b']);
  });

  test('are none if they cannot be read', () => {
    for (const text of ['{', '{}', 'null', '3']) {
      localStorage.setItem('campale.puzzles.solved', text);
      expect(solved().size).toBe(0);
    }
    localStorage.setItem('campale.puzzles.solved', '["drill/a", 3]');
    expect([...solved()]).toEqual(['drill/a']);
  });
});

describe('the same puzzle again', () => {
  const made = (battle: string) => ({ ok: true, json: async () => ({ battle, seats: [{ side: 1, kind: 'me', token: 'mine' }] }) });

  test('comes from the book by its name, and is seated', async () => {
    const asked = vi.fn(async () => made('one'));
    vi.stubGlobal('fetch', asked);
    expect(await begun({ name: 'drill/a' })).toBe('/b/one');
    expect(seatsOf('one')).toEqual([{ side: 1, token: 'mine' }]);
    expect([again('drill/a', 'one'), again('', 'one')]).toEqual([{ name: 'drill/a' }, null]);
  });

  test('comes from its file, kept with the battle while the tab is open', async () => {
    vi.stubGlobal('fetch', async () => made('two'));
    const wanted = await fileOf(new File(['goal'], 'mine.yaml'));
    await begun(wanted);
    expect([again('', 'two'), again('', 'three')]).toEqual([{ text: 'goal', file: 'mine.yaml' }, null]);
  });
});

test('a file that is too large is not sent', async () => {
  const file = { name: 'a.yaml', size: 262_145, text: async () => '' };
  await expect(fileOf(file)).rejects.toMatchObject({ word: 'puzzle.large' });
});
