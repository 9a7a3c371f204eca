import { describe, expect, test } from 'vitest';
import { ALL, chapters, phases } from '../src/battle/journal';
import type { Line, Spoken } from '../src/net/wire';

const LINES: Line[] = [
  { text: 'The mission is Patrol.' },
  { text: 'Turn 1', level: 1 },
  { text: 'Movement', level: 2, phase: 'Movement' },
  { text: 'Ann moves.', side: 0, models: [0], phase: 'Movement' },
  { text: 'Fire', level: 2, phase: 'Fire' },
  { text: 'Bob fires.', side: 1, models: [5], phase: 'Fire' },
  { text: 'Bob, to hit', side: 1, models: [5], phase: 'Fire', dice: { why: 'to hit', sides: 6, faces: [4] } },
  { text: 'Turn 2', level: 1 },
];
const told = (wanted = ALL) => chapters(LINES, wanted).map((one) => [one.title, one.lines.map(({ line }) => line.text)]);

describe('chapters', () => {
  test('are turns, with the lines before the first and the headings within', () => {
    expect(told()).toEqual([
      ['', ['The mission is Patrol.']],
      ['Turn 1', ['Movement', 'Ann moves.', 'Fire', 'Bob fires.', 'Bob, to hit']],
      ['Turn 2', []],
    ]);
  });

  test('keep the places of their lines', () => {
    expect(chapters(LINES)[1]?.lines.map((one) => one.n)).toEqual([2, 3, 4, 5, 6]);
  });

  test('of one side', () => expect(told({ ...ALL, side: 0 })).toEqual([['Turn 1', ['Movement', 'Ann moves.']]]));

  test('of the models of a unit', () => {
    expect(told({ ...ALL, models: [4, 5] })).toEqual([['Turn 1', ['Fire', 'Bob fires.', 'Bob, to hit']]]);
  });

  test('of dice', () => expect(told({ ...ALL, isDice: true })).toEqual([['Turn 1', ['Fire', 'Bob, to hit']]]));

  test('of a phase', () => expect(told({ ...ALL, phase: 'Movement' })).toEqual([['Turn 1', ['Movement', 'Ann moves.']]]));

  test('of nothing at all', () => expect(told({ ...ALL, side: 0, isDice: true })).toEqual([]));
});

test('the phases are those that occur', () => expect(phases(LINES)).toEqual(['Movement', 'Fire']));

describe('an upgrade', () => {
  const lines = [{ text: 'Turn 1', level: 1, at: 0 }, { text: 'a', at: 1 }, { text: 'b', at: 2 }, { text: 'Turn 2', level: 1, at: 3 }];
  const renewed = (place: number): Spoken => ({ side: null, name: 'Campale', text: `renewed ${place}`, at: 0, kind: 'renewed', place });
  const texts = (chat: Spoken[], wanted = ALL) =>
    chapters(lines, wanted, chat).map((one) => one.lines.map(({ line, isNote }) => (isNote ? `*${line.text}` : line.text)));

  test('stands before the first line that happened later', () => {
    expect(texts([renewed(1)])).toEqual([['a', '*renewed 1', 'b'], []]);
    expect(texts([renewed(2)])).toEqual([['a', 'b', '*renewed 2'], []]);
    expect(texts([renewed(3), renewed(9)])).toEqual([['a', 'b'], ['*renewed 3', '*renewed 9']]);
  });

  test('has a number of its own, and is left out of a search', () => {
    const found = chapters(lines, ALL, [renewed(1), renewed(2)]).flatMap((one) => one.lines.map(({ n }) => n));
    expect(new Set(found).size).toBe(found.length);
    expect(texts([renewed(1)], { ...ALL, isDice: true })).toEqual([]);
  });

  test('is no other line of the chat', () => expect(texts([{ side: 0, name: '', text: 'hello', at: 1 }])).toEqual([['a', 'b'], []]));
});
