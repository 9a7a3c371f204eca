import { describe, expect, test, vi } from 'vitest';
import { begun, count, isComplete, lots, oneLess, oneMore, restTo, unallotted } from '../src/answers/allotting';
import { facesTyped, laid, rolled } from '../src/answers/dice';
import { Digits } from '../src/answers/digits';
import { closed, counted, ending, grouped, hasWords, lettered, meant, numbered, opening, together } from '../src/answers/options';
import { acting, policyOf, withAct, withPolicy, withWithin } from '../src/answers/orders';
import { isNamed, onlyAnswer } from '../src/answers/path';
import { toldAnswer } from '../src/answers/told';
import { direction, lengthAt, lengthOf, shifted } from '../src/answers/ways';
import { alike, lossOf, takesAim } from '../src/answers/whole';
import { without } from '../src/battle/names';
import type { Option, Plain, Sheet } from '../src/net/wire';
import { say } from '../src/lib/words.svelte';

const option = (key: Plain, text: string, more: Partial<Option> = {}): Option => ({ key, text, ...more });
const sheet = (kind: string, more: Partial<Sheet> = {}): Sheet => ({ kind, prompt: 'p', side: 0, title: 't', ...more });

test('a form shown whole takes aim if an answer of it has a target, or is a form itself', () => {
  const step = (field: Sheet) => ({ sheet: field, answer: null, text: '', isForced: false });
  const plain = sheet('choose', { options: [option('fire', 'Fire'), option('halt', 'Halt')] });
  expect(takesAim([step(plain), step(plain)])).toBe(false);
  expect(takesAim([step(plain), step(sheet('choose', { options: [option(1, 'at Ann', { targets: [7] })] }))])).toBe(true);
  expect(takesAim([step(sheet('form'))])).toBe(true);
});

describe('options', () => {
  const options = [
    option(1, 'Nobody'),
    option(2, 'Pélé moves', { actors: [5] }),
    option(3, 'Ann moves', { actors: [7] }),
    option(4, 'Ann runs', { actors: [8] }),
    option(5, 'Bob moves', { refusal: { text: 'has moved' } }),
    option(6, 'Cid moves', { refusal: { text: 'has moved' } }),
    option(7, 'Dan moves', { refusal: { text: 'is aboard' } }),
  ];

  test('are grouped by the unit that acts, others last', () => {
    const groups = grouped(numbered(options), (row) => ({ 5: 50, 7: 70, 8: 70 })[row], String);
    expect(groups.map((one) => [one.unit, one.rows.map((row) => row.number)])).toEqual([
      [50, [2]],
      [70, [3, 4]],
      [null, [1]],
    ]);
  });

  test('what the heading says is not said again, and whoever is named otherwise keeps the name', () => {
    const of = (...texts: string[]) => grouped(numbered(texts.map((text, k) => option(k, text, { actors: [5] }))), () => 50, () => 'Tender')[0];
    const told = (...texts: string[]) => texts.map((text) => text.slice(opening(text, of(...texts)?.begin ?? '').length));
    expect(told('Tender: halts', 'Captain: gets out of Tender')).toEqual(['halts', 'Captain: gets out of Tender']);
    expect(told('Captain: gets out of Tender')).toEqual(['Captain: gets out of Tender']);
    expect(told('Tenders: shoot', 'Tenders: halt')).toEqual(['shoot', 'halt']);
  });

  test('the name of a unit behind a model’s own is not said twice', () => {
    expect(ending('Trooper 1 (Squad 2)', 'Squad 2')).toBe(' (Squad 2)');
    expect(ending('Trooper 1 (Squad 2)', 'Squad 1')).toBe('');
    expect(ending('Medic ()', '')).toBe('');
  });

  test('about like models stand together, those about nobody alone', () => {
    const rows = numbered([option('nobody', 'nobody'), option(1, 'Rifle 1'), option(2, 'Medic'), option(3, 'Rifle 2'), option('none', 'none')]);
    const kinds: Record<string, string> = { 'Rifle 1': 'rifle', 'Rifle 2': 'rifle', Medic: 'medic' };
    const found = together(rows, (one) => kinds[one.text] ?? null);
    expect(found.map(({ one, others }) => [one.option.text, others.map((other) => other.number)])).toEqual([
      ['nobody', []],
      ['Rifle 1', [4]],
      ['Medic', []],
      ['none', []],
    ]);
  });

  test('names that differ by their numbers are counted', () => {
    expect(counted(['Rifle 1', 'Medic 2', 'Rifle 12', 'Rifle 3'])).toBe('Rifle ×3, Medic 2');
    expect(counted([])).toBe('');
  });

  test('closed options are grouped by the reason', () => {
    expect(closed(options).map((one) => [one.why, one.options.length])).toEqual([
      ['has moved', 2],
      ['is aboard', 1],
    ]);
  });

  test('words find the only option that has them', () => {
    expect(meant(options, 'pele')?.key).toBe(2);
    expect(meant(options, 'ann')).toBe(null);
    expect(meant(options, 'runs')?.key).toBe(4);
    expect(meant(options, 'bob moves')).toBe(null);
    expect(meant(options, '  ')).toBe(null);
    expect(hasWords('Reed folk fire', 'FIRE reed')).toBe(true);
  });

  test('a single target needs no letter', () => {
    const lists = [[option(1, 'a', { targets: [3] })], [option(2, 'b', { targets: [3, 4], refusal: { text: '' } })]];
    expect(lettered(lists, (row) => row).size).toBe(0);
    expect([...lettered([...lists, [option(3, 'c', { targets: [4] })]], (row) => row)]).toEqual([
      [3, 'A'],
      [4, 'B'],
    ]);
  });
});

describe('allotting', () => {
  const [wounds, torn] = lots(['wound', 'torn', 'wound', 'wound']);

  test('takes an unallotted item first, then one from the holder with the most', () => {
    let given = begun(sheet('allot', { items: ['wound', 'torn', 'wound', 'wound'], holders: [7, 9] }));
    expect(given).toEqual([null, null, null, null]);
    given = oneMore(given, wounds!, 7);
    expect(given).toEqual([7, null, null, null]);
    given = oneMore(oneMore(given, wounds!, 7), wounds!, 7);
    expect(count(given, wounds!, 7)).toBe(3);
    expect(isComplete(given)).toBe(false);
    given = oneMore(given, torn!, 9);
    given = oneMore(given, wounds!, 9);
    expect([count(given, wounds!, 7), count(given, wounds!, 9)]).toEqual([2, 1]);
    expect(isComplete(given)).toBe(true);
    given = oneLess(given, wounds!, 9);
    expect(unallotted(given, wounds!)).toBe(1);
    expect(oneLess(given, wounds!, 9)).toBe(given);
  });

  test('the rest goes to one holder: all unallotted items, then all but the first of the others', () => {
    expect(restTo([7, null, null, 9], 8)).toEqual([7, 8, 8, 9]);
    expect(restTo([7, 7, 9, 9, 8], 8)).toEqual([7, 8, 9, 8, 8]);
    expect(restTo([7, 9], 8)).toEqual([7, 9]);
  });

  test('begins with the proposal if it fits', () => {
    expect(begun(sheet('allot', { items: ['a', 'a'], holders: [7], proposal: [7, 7] }))).toEqual([7, 7]);
    expect(begun(sheet('allot', { items: ['a', 'a'], holders: [7], proposal: [7] }))).toEqual([null, null]);
  });
});

describe('a field with one answer', () => {
  test('is recognised by its kind', () => {
    expect(onlyAnswer(sheet('choose', { options: [option(1, 'a'), option(2, 'b', { refusal: { text: '' } })] }))).toEqual({ answer: 1 });
    expect(onlyAnswer(sheet('choose', { options: [option(1, 'a'), option(2, 'b')] }))).toBe(null);
    expect(onlyAnswer(sheet('number', { low: 2, high: 2 }))).toEqual({ answer: 2 });
    expect(onlyAnswer(sheet('number', { high: 0 }))).toEqual({ answer: 0 });
    expect(onlyAnswer(sheet('number', { low: 0, high: 1 }))).toBe(null);
    expect(onlyAnswer(sheet('move', { proposal: [[], null] }))).toBe(null);
  });
});

describe('dice', () => {
  test('a digit is a face while one is wanted', () => {
    const dice = (sides: number, kind = 'roll') => ({ kind, sheet: sheet(kind, { shown: { sides } }), ordered: [] as Plain[], wanted: 2 });
    const two = dice(6);
    expect([7, 5, 0, 6, 1].map((face) => laid(two, face))).toEqual([false, true, false, true, false]);
    expect(two.ordered).toEqual([5, 6]);
    expect(laid(dice(20), 2)).toBe(false);
    expect(laid(dice(6, 'draw'), 2)).toBe(false);
  });

  test('are typed apart, or as one word if no face has two digits', () => {
    expect(facesTyped('3 5 6', 6, 3)).toEqual([3, 5, 6]);
    expect(facesTyped('356', 6, 3)).toEqual([3, 5, 6]);
    expect(facesTyped('12', 20, 1)).toEqual([12]);
    expect(facesTyped('35', 6, 3)).toBe(null);
  });

  test('rolled here lie within their sides, and no draw repeats a place', () => {
    const faces = rolled.faces(6, 600);
    expect(new Set(faces)).toEqual(new Set([1, 2, 3, 4, 5, 6]));
    expect(new Set(rolled.places(9, 9)).size).toBe(9);
  });
});

describe('digits', () => {
  test('wait only while a longer number is possible', () => {
    vi.useFakeTimers();
    const taken: number[] = [];
    const digits = new Digits((number) => taken.push(number));
    expect(digits.typed(4, 12)).toBe(true);
    expect(taken).toEqual([4]);
    digits.typed(1, 12);
    expect(taken).toEqual([4]);
    digits.typed(2, 12);
    expect(taken).toEqual([4, 12]);
    digits.typed(1, 12);
    vi.runAllTimers();
    expect(taken).toEqual([4, 12, 1]);
    expect(digits.typed(9, 3)).toBe(false);
    expect(digits.typed(0, 30)).toBe(false);
    vi.useRealTimers();
  });
});

describe('ways', () => {
  const moved = [{ row: 3, start: { x: 10, y: 10, facing: 0 }, points: [[10, 13], [14, 13]] as [number, number][], facing: null, isSet: true }];

  test('are as long as all their parts', () => expect(lengthOf(moved[0]!)).toBe(7));

  test('lead clockwise from the far edge', () => {
    expect(shifted(moved, 6, 90)).toEqual([[3, 16, 10, null]]);
    expect(shifted(moved, 6, 180)).toEqual([[3, 10, 4, null]]);
    expect([direction('N'), direction('so'), direction('12,5'), direction('x')]).toEqual([0, 225, 12.5, null]);
  });

  test('the place beside a route maps to the route’s nearest point', () => {
    expect(lengthAt([[0, 0], [4, 0], [4, 4]], [5, 3])).toBe(7);
    expect(lengthAt([[0, 0], [4, 0]], [-2, 1])).toBe(0);
  });
});

describe('rows of a sheet', () => {
  const field = (title: string, answer: string) => ({
    sheet: sheet('choose', { title, options: [option('a', 'a'), option('b', 'b')] }),
    answer,
    text: answer,
    isForced: false,
  });

  test('neighbouring equal rows become one', () => {
    const rows = alike([field('x', 'a'), field('x', 'a'), field('x', 'b'), field('y', 'b')]);
    expect(rows.map((row) => row.places)).toEqual([[0, 1], [2], [3]]);
  });
});

describe('standing orders', () => {
  const kind = { prompt: 'reactions', title: 'Reactions', acts: [['fire', 'Fire'], ['hide', 'Hide']] as [string, string][] };

  test('are edited without losing the others', () => {
    let orders = withPolicy({ default: 'matter' }, 'reactions', 'act', kind);
    expect(policyOf(orders, 'reactions')).toBe('act');
    orders = withWithin(withAct(orders, kind, 'hide'), 'reactions', 8);
    expect(orders).toEqual({ default: 'matter', reactions: { act: ['fire', 'hide'], within: 8 } });
    orders = withAct(withAct(orders, kind, 'fire'), kind, 'hide');
    expect(acting(orders, 'reactions')?.act).toEqual(['hide']);
    expect(withWithin(orders, 'reactions', -1)).toBe(orders);
    expect(withPolicy(orders, 'reactions', 'default', kind)).toEqual({ default: 'matter' });
    expect(policyOf({}, 'default')).toBe('ask');
  });
});

describe('answers told', () => {
  test('are short', () => {
    expect(toldAnswer(sheet('choose', { options: [option(['a', 1], 'Ann')] }), ['a', 1])).toBe('Ann');
    expect(toldAnswer(sheet('move', { models: [1] }), [[[3.14159, 2]], null])).toBe('(3.1; 2)');
    expect(toldAnswer(sheet('move', { models: [1, 2], several: true }), [[[], null], [[], null]])).toBe(say('ask.stay'));
    expect(toldAnswer(sheet('place', { models: [1] }), [[3, 2, 90]])).toBe('(3; 2)');
    expect(toldAnswer(sheet('form', { prompt: 'face', title: 'Verso chi?' }), [1])).toBe('Verso chi?');
    expect(toldAnswer(sheet('order', { keys: [1, 2], items: ['a', 'b'] }), [2, 1])).toBe('b, a');
  });
});

test('a question does not name the player above it once more', () => {
  expect(without('Red', 'Red: who fires?')).toBe('Who fires?');
  expect(without('Red', 'Redcoats: fire?')).toBe('Redcoats: fire?');
  expect(without('', 'who fires?')).toBe('Who fires?');
});

test('a form inside another is not named above a question in the same words', () => {
  const level = (title: string) => ({ form: sheet('form', { title }), steps: [], editing: null });
  expect(isNamed(level('The tank: where?'), sheet('move', { title: 'The tank: where?' }))).toBe(false);
  expect(isNamed(level('The tank: where?'), sheet('choose', { title: 'The tank: how?' }))).toBe(true);
});

describe('a forecast in a few words', () => {
  const stage = (title: string, mean: number, is_main = false) => ({
    title,
    mean,
    chances: [[0, 0.5], [2, 0.5]] as [number, number][],
    is_main,
  });

  test('is its main stage, or else the last', () => {
    expect(lossOf({ title: 't', stages: [stage('Hits', 2), stage('Lost', 0.5, true), stage('Breaks', 0.1)] })).toBe('avg 0.5 lost');
    expect(lossOf({ title: 't', stages: [stage('Hits', 2), stage('Wounds', 1)] })).toBe('avg 1 wounds');
    const lost = (mean: number) => lossOf({ title: 't', stages: [{ ...stage('Losses', mean), single: 'Loss' }] });
    expect([1, 0.96, 1.1, 0.5].map(lost)).toEqual(['avg 1 loss', 'avg 1 loss', 'avg 1.1 losses', 'avg 0.5 losses']);
    expect(lossOf({ title: 't', stages: [] })).toBe('');
  });
});
