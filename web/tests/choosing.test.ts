import { describe, expect, test } from 'vitest';
import type { Book, Force } from '../src/net/api';
import { Choosing } from '../src/lib/choosing.svelte';

const rule = { id: 'a/b', title: 'A rule' };
const force = (name: string, points: number): Force => ({ name, title: name, points, cost: points - 5, list: 'l', list_title: 'L', cards: [] });
const BOOK: Book = {
  name: 'drill',
  title: 'Drill',
  unit: 'inch',
  is_complete: true,
  reads_lists: false,
  missions: [],
  ready: [{ title: 'Ready', agreed: { points: 200, mission: 'hold' }, forces: ['d', 'c'] }],
  options: [
    { name: 'weight', title: 'Weight', rule, text: '', values: [{ value: false, text: 'no' }, { value: true, text: 'yes' }], default: false },
    { name: 'jams', title: 'Jams', rule, text: '', values: [], default: 'never' },
  ],
  layouts: [],
  forces: [force('a', 100), force('b', 100), force('c', 200), force('d', 200)],
  sizes: [100, 200],
  agreements: [
    { name: 'points', title: 'Points', rule, values: [], default: 100, between: [1, 1000] },
    { name: 'mission', title: 'Mission', rule, values: [], default: null, between: null },
    { name: 'cover', title: 'Cover', rule, values: [], default: 'usual', between: null },
  ],
  mission: 'mission',
  layout: '',
  size: 'points',
};
const fresh = () => new Choosing(BOOK, 'Ann');
const forces = (one: Choosing) => one.wanted().forces;

describe('a new battle', () => {
  test('is complete at once: me against a bot, with the book’s defaults', () => {
    expect(fresh().missing).toBe('');
    expect(fresh().wanted()).toEqual({
      book: 'drill',
      agreed: { points: 100, mission: null, cover: 'usual' },
      options: {},
      forces: ['a', 'b'],
      seats: [{ kind: 'me', name: 'Ann', strength: 'greedy' }, { kind: 'bot', name: '', strength: 'greedy' }],
      dice: 'server',
      clock: null,
    });
  });

  test('of another size has other forces', () => {
    const one = fresh();
    one.agree('points', 200);
    expect(forces(one)).toEqual(['c', 'd']);
  });

  test('of a size that no force was built for offers the forces that are cheap enough', () => {
    const one = fresh();
    one.agree('points', 150);
    expect(one.forces.map((each) => each.name)).toEqual(['a', 'b']);
  });

  test('a player who joins by the link may bring a force', () => {
    const one = fresh();
    one.seat(1, 'link');
    one.seats[1]!.force = '';
    expect([one.missing, forces(one)]).toEqual(['', ['a', null]]);
    one.agree('points', 200);
    expect(forces(one)).toEqual(['c', null]);
    one.seat(1, 'bot');
    expect(forces(one)).toEqual(['c', 'd']);
  });

  test('a player’s own force goes along whole, whatever the size', () => {
    const one = fresh();
    one.seats[0]!.own = { name: 'Mine', plain: { units: [] } };
    one.agree('points', 200);
    expect(forces(one)[0]).toEqual({ units: [] });
  });

  test('needs a person, and a player who is here', () => {
    const one = fresh();
    one.seat(0, 'bot');
    expect(one.missing).toBe('new.missing.person');
    one.seat(0, 'link');
    one.seat(1, 'link');
    expect(one.missing).toBe('new.missing.me');
  });

  test('names only the options that differ from the default', () => {
    const one = fresh();
    one.options.weight = true;
    expect(one.wanted().options).toEqual({ weight: true });
  });

  test('that is ready-made is taken whole', () => {
    const one = fresh();
    one.take(BOOK.ready[0]!);
    expect([one.wanted().agreed, forces(one)]).toEqual([{ points: 200, mission: 'hold', cover: 'usual' }, ['d', 'c']]);
  });

  test('counts its clocks in seconds', () => {
    const one = fresh();
    one.clock = { minutes: 45, reaction: 20, increment: 0 };
    expect(one.wanted().clock).toEqual({ main: 2700, reaction: 20, increment: 0 });
  });

  test('agreements besides mission and size are apart', () => expect(fresh().others.map((one) => one.name)).toEqual(['cover']));
});
