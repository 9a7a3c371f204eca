import { beforeEach, describe, expect, test } from 'vitest';
import { Performer } from '../src/answers/perform';
import { Draft } from '../src/battle/draft.svelte';
import type { Battle } from '../src/battle/battle.svelte';
import type { Request } from '../src/net/socket';
import { tongue } from '../src/lib/words.svelte';
import type { ModelShown, Option, Plain, Sheet } from '../src/net/wire';

const option = (key: Plain, text: string, more: Partial<Option> = {}): Option => ({ key, text, ...more });
const model = (row: number, unit: number, x: number): ModelShown => ({ row, unit, side: unit, name: `M${row}`, kind: 'm', where: 'table', x, y: 10, facing: 0 });

let sent: Request[];
let given: Plain[];
let draft: Draft;
let line: (text: string) => Promise<string>;

async function asks(sheet: Partial<Sheet>): Promise<void> {
  const whole = { prompt: 'p', side: 0, title: 't', kind: 'choose', ...sheet };
  const battle = {
    question: 1,
    sheet: whole,
    models: [model(0, 0, 10), model(1, 0, 12), model(2, 1, 30), model(3, 2, 40)],
    units: [
      { row: 0, side: 0, name: 'Keepers', models: [0, 1] },
      { row: 1, side: 1, name: 'Reed folk', models: [2] },
      { row: 2, side: 1, name: 'Fen witch', models: [3] },
    ],
    refusal: null,
    ask: async (request: Request) => {
      sent.push(request);
      if (request.do === 'plan') return { is: 'planned', re: 1, answer: [[[[10, 12]], null], [[[12, 12]], null]], text: '2 inches north.' };
      if (request.do === 'check') return { is: 'checked', re: 1, refusal: JSON.stringify(request.answer).includes('99') ? { text: 'Too far.' } : null };
      if (request.do === 'look')
        return { is: 'looked', re: 1, look: { model: 0, card: {}, sightings: [{ model: 2, sees: 'all', text: 'seen', distance: 3 }] } };
      return { is: 'done', re: 1 };
    },
    answer: async (_question: number, answer: Plain) => given.push(answer) > 0,
  } as unknown as Battle;
  draft = new Draft(battle);
  draft.follow();
  const performer = new Performer(battle, draft);
  line = async (text) => (await performer.line(text)).text;
}

beforeEach(() => {
  sent = [];
  given = [];
  return tongue.choose('en');
});

describe('a point typed alone', () => {
  test('says where a placed unit goes', async () => {
    await asks({ kind: 'aim' });
    await line('(16,5; 20)');
    expect(draft.current).toEqual([16.5, 20]);
  });

  test('says where the only moving model ends', async () => {
    await asks({ kind: 'move', models: [0] });
    await line('11, 12');
    expect(sent.at(-1)).toMatchObject({ do: 'check', answer: [[[11, 12]], null] });
  });

  test('means nothing if no place is asked for', async () => {
    await asks({ options: [option('end', 'no more fire')] });
    expect(await line('11,12')).toContain('understood');
  });
});

describe('a choice typed', () => {
  const options = [
    option('end', 'no more fire'),
    option('a', 'Keepers: fire at Reed folk', { actors: [0, 1], targets: [2] }),
    option('b', 'Keepers: fire at Fen witch', { actors: [0, 1], targets: [3] }),
    option('c', 'Keepers: hide', { refusal: { text: 'Nowhere to hide.' } }),
  ];
  beforeEach(() => asks({ options }));

  test('by number', async () => {
    expect(await line('2')).toBe('Keepers: fire at Reed folk');
    expect(given).toEqual(['a']);
    expect(await line('7')).toContain('the last one is 3');
  });

  test.each([['shoot keepers at fen'], ['shoot 1 at 3'], ['shoot at B'], ['witch']])('by %s', async (typed) => {
    await line(typed);
    expect(given).toEqual(['b']);
  });

  test('an ambiguous text takes nothing', async () => {
    expect(await line('fire')).toContain('one option matches (3)');
    expect(given).toEqual([]);
  });

  test('a closed option says why', async () => expect(await line('keepers: hide')).toBe('Nowhere to hide.'));
  test('passing takes the option about nobody', async () => {
    await line('pass');
    expect(given).toEqual(['end']);
  });
  test('lines of sight are answered', async () => expect(await line('los 0 2')).toBe('seen'));
  test('nothing moves if no move is open', async () => expect(await line('6 n')).toContain('does not move'));
});

describe('a move typed', () => {
  beforeEach(() => asks({ kind: 'move', several: true, models: [0, 1] }));

  test('moves all the models, by the planner', async () => {
    expect(await line('2 n')).toBe('2 inches north. Enter confirms.');
    expect(sent.at(-1)).toMatchObject({ do: 'plan', wish: [[0, 10, 12, null], [1, 12, 12, null]] });
    await line('ok');
    expect(given).toEqual([[[[[10, 12]], null], [[[12, 12]], null]]]);
  });

  test('goes towards the nearest model of a unit', async () => {
    await line('towards reed');
    expect(sent.at(-1)).toMatchObject({ wish: [[0, 28, 10, null], [1, 30, 10, null]] });
  });

  test('goes about a point', async () => {
    await line('to 21,20');
    expect(sent.at(-1)).toMatchObject({ wish: [[0, 20, 20, null], [1, 22, 20, null]] });
  });

  test('moves one model, and says whether it may', async () => {
    expect(await line('move 1 to 12,14 13,15 facing e')).toBe('Enter confirms.');
    expect(draft.moved[1]).toMatchObject({ points: [[12, 14], [13, 15]], facing: 90 });
    expect(await line('move 1 to 99,14')).toBe('Too far.');
    expect(await line('move 3 to 1,1')).toContain('not part of this question');
  });
});

describe('other answers typed', () => {
  test('a number', async () => {
    await asks({ kind: 'number', low: 0, high: 5 });
    await line('3');
    expect(given).toEqual([3]);
  });

  test('wounds, for all or one by one', async () => {
    await asks({ kind: 'allot', items: ['w', 'w'], holders: [0, 1] });
    expect(await line('allot 0 1')).toBe('Enter confirms.');
    expect(draft.given).toEqual([0, 1]);
    await line('allot 1');
    expect(draft.given).toEqual([1, 1]);
    expect(await line('allot 5')).toContain('each of the 2');
  });

  test('faces, and places in a pool counted from one', async () => {
    await asks({ kind: 'roll', shown: { count: 2, sides: 6 } });
    await line('faces 36');
    expect(given).toEqual([[3, 6]]);
    await asks({ kind: 'draw', shown: { count: 1, of: 4 } });
    await line('faces 4');
    expect(given).toEqual([[3, 6], [3]]);
  });
});
