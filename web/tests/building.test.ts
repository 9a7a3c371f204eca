import { describe, expect, test } from 'vitest';
import type { Plain } from '../src/net/wire';
import { armyIn, linkOf, pickedFrom, pileOf, plainOf, sizeOf, type ArmyList, type Field, type Picked } from '../src/lib/building';

const field = (name: string, kind: Field['kind'], some: Partial<Field> = {}): Field => ({
  name,
  title: name,
  kind,
  choices: [],
  values: [],
  least: 0,
  most: 60,
  usual: {},
  ...some,
});
const kind = (id: string, ...fields: Field[]) => ({ id, title: id, row: { unit: id }, fields, prices: [], card: { title: '', line: [] } });
const DECK = field('deck', 'pile', { choices: ['sun', 'moon', 'rain'].map((value) => ({ value, text: value })), usual: { sun: 2, moon: 1 } });
const LIST = {
  id: 'wardens',
  title: 'Wardens',
  force: { ruleset: 'drill', list: 'wardens' },
  rows: 'units',
  kinds: [
    kind('squad', field('size', 'number', { least: 5 }), field('weapons', 'counts'), field('kit', 'several'), field('aboard', 'unit')),
    kind('cart'),
    kind('lord', field('leads', 'flag'), field('group', 'text'), field('song', 'one')),
  ],
  fields: [DECK],
} as unknown as ArmyList;

const picked = (...rows: Picked['rows']): Picked => ({ list: 'wardens', name: 'Road', points: 500, rows, said: {} });
const file = (units: Plain[]) => ({ ...LIST.force, name: { en: 'Road', it: 'Road' }, points: 500, units });

describe('an army being built', () => {
  const full = picked(
    { key: 0, kind: 'squad', said: { size: 7, weapons: { lamp: 2, horn: 0 }, kit: ['rope'], aboard: 4 } },
    { key: 4, kind: 'cart', said: {} },
    { key: 5, kind: 'lord', said: { leads: true, group: 'A', song: 'old' } },
  );

  test('is written like its file, with ids for the units that others name', () =>
    expect(plainOf(LIST, full)).toEqual(
      file([
        { unit: 'squad', size: 7, weapons: { lamp: 2 }, kit: ['rope'], aboard: 'u4' },
        { unit: 'cart', id: 'u4' },
        { unit: 'lord', leads: true, group: 'A', song: 'old' },
      ]),
    ));

  test('leaves out what the file need not mention', () => {
    const bare = picked({ key: 0, kind: 'squad', said: { weapons: { lamp: 0 }, kit: [], aboard: null } }, { key: 1, kind: 'lord', said: { leads: false, group: '', song: '' } });
    expect(plainOf(LIST, bare)).toEqual(file([{ unit: 'squad' }, { unit: 'lord' }]));
    expect(plainOf(LIST, { ...bare, name: ' ' }).name).toEqual({ en: 'Wardens', it: 'Wardens' });
  });

  test('names no removed unit, and no unknown kind', () => {
    const gone = picked({ key: 0, kind: 'squad', said: { aboard: 9 } }, { key: 1, kind: 'ghost', said: {} });
    expect(plainOf(LIST, gone)).toEqual(file([{ unit: 'squad' }]));
  });

  test('can be continued', () => {
    const again = pickedFrom([LIST], plainOf(LIST, full))!;
    expect(again.rows.map((one) => one.said.aboard)).toEqual([1, undefined, undefined]);
    expect(plainOf(LIST, again)).toMatchObject({ units: [{ aboard: 'u1' }, { id: 'u1' }, { unit: 'lord' }] });
  });

  test.each([
    [{}, undefined],
    [{ deck: { sun: 2, moon: 1, rain: 0 } }, undefined],
    [{ deck: { sun: 2, moon: 0, rain: 1 } }, { sun: 2, rain: 1 }],
    [{ deck: {} }, {}],
  ])('with %j said of the whole has the pile %j', (said, deck) => {
    const plain = plainOf(LIST, { ...full, said });
    expect(plain.deck).toEqual(deck);
    expect(plainOf(LIST, pickedFrom([LIST], plain)!).deck).toEqual(deck);
  });

  test('has the given number of each card, or else the usual one', () => {
    expect([...pileOf(DECK, undefined)]).toEqual([['sun', 2], ['moon', 1], ['rain', 0]]);
    expect(sizeOf(pileOf(DECK, undefined))).toBe(3);
    expect(sizeOf(pileOf(DECK, { rain: 5 }))).toBe(5);
  });

  test('of another list, or with units of its own, cannot be continued', () => {
    expect(pickedFrom([LIST], { ...file([]), list: 'hounds' })).toBeNull();
    expect(pickedFrom([LIST], { ...file([]), own: { units: {} } })).toBeNull();
    expect(pickedFrom([LIST], file([{ unit: 'ghost' }]))).toBeNull();
    expect(pickedFrom([LIST], { ...LIST.force, units: 7 })).toBeNull();
  });

  test('goes into an address and comes back out', () => {
    const plain = plainOf(LIST, { ...full, name: 'Città ➤ è' });
    const link = linkOf('drill', plain);
    expect(armyIn(link.slice(link.indexOf('?')))).toEqual(plain);
  });

  test.each(['', '?army=', '?army=%%%', '?army=W10', `?army=${'a'.repeat(20_000)}`])('of the address %s is none', (query) =>
    expect(armyIn(query)).toBeNull(),
  );
});
