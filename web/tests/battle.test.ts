import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Battle } from '../src/battle/battle.svelte';
import type { Ask, ModelShown, State, Tell } from '../src/net/wire';

class FakeSocket {
  static readonly OPEN = 1;
  static made: FakeSocket[] = [];
  readyState = 0;
  sent: Ask[] = [];
  onopen = () => {};
  onclose = (_: { code: number }) => {};
  onmessage = (_: { data: string }) => {};

  constructor(readonly url: string) {
    FakeSocket.made.push(this);
  }

  send(text: string): void {
    this.sent.push(JSON.parse(text) as Ask);
  }

  close(): void {
    this.broke(1000);
  }

  opened(): this {
    this.readyState = FakeSocket.OPEN;
    this.onopen();
    return this;
  }

  broke(code = 1006): void {
    this.readyState = 3;
    this.onclose({ code });
  }

  tells(message: Tell): void {
    this.onmessage({ data: JSON.stringify(message) });
  }
}

const model = (row: number, x: number): ModelShown => ({ row, side: 0, unit: 0, name: `m${row}`, kind: 'k', where: 'table', x });
const STATE: State = {
  is: 'state', seq: 1000, battle: 'abc', book: 'drill', title: 'Drill', side: 0, language: 'en',
  table: { width: 48, depth: 48, unit: 'inch', grid: 6 },
  pieces: [], models: [model(0, 1), model(1, 2)], units: [], tokens: [],
  lines: [{ text: 'a' }, { text: 'b' }],
  moment: { stage: 'playing', question: 3, sheet: { kind: 'choose', prompt: 'who', side: 0, title: 'Who?' }, waiting_for: [0] },
};

let battle: Battle;
const socket = () => FakeSocket.made.at(-1)!;

beforeEach(() => {
  vi.useFakeTimers();
  FakeSocket.made = [];
  vi.stubGlobal('WebSocket', FakeSocket);
  battle = new Battle('ws://here', 'token', () => 'it');
});
afterEach(() => {
  battle.close();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('first says who it is, and in which language', () => {
  expect(socket().opened().sent).toEqual([{ do: 'hello', protocol: 2, token: 'token', language: 'it', seen: 0 }]);
  expect([battle.isConnected, battle.isLoaded]).toEqual([true, false]);
});

test('the last decision can be taken back by the player at the page who made it', async () => {
  const line = socket().opened();
  line.tells(STATE);
  const other = new Battle('ws://here', 'other', () => 'it');
  const beside = socket().opened();
  beside.tells({ ...STATE, side: 1, moment: { stage: 'playing', may_undo: true } });
  expect(battle.mayUndo).toBe(false);
  [battle.beside, other.beside] = [other, battle];
  expect(battle.mayUndo).toBe(true);
  void battle.undo();
  expect([beside.sent.at(-1)?.do, line.sent.at(-1)?.do]).toEqual(['undo', 'hello']);
  beside.tells({ is: 'news', seq: 1001, moment: { may_undo: false } });
  line.tells({ is: 'news', seq: 1001, moment: { may_undo: true } });
  void other.undo();
  expect(line.sent.at(-1)?.do).toBe('undo');
  other.close();
});

test('knows everything from the full picture', () => {
  socket().opened().tells(STATE);
  expect([battle.isLoaded, battle.side, battle.sheet?.title, battle.models.length]).toEqual([true, 0, 'Who?', 2]);
});

describe('news', () => {
  beforeEach(() => socket().opened().tells(STATE));

  test('replace the rows that they name, and no others', () => {
    const other = battle.models[0];
    socket().tells({ is: 'news', seq: 1001, moment: {}, models: [model(1, 9)] });
    expect([battle.models[1]?.x, battle.models[0] === other, battle.seq]).toEqual([9, true, 1001]);
  });

  test('extend the journal, or replace its end', () => {
    const texts = () => battle.lines.map((line) => line.text).join('');
    socket().tells({ is: 'news', seq: 1001, moment: {}, lines: [{ text: 'c' }] });
    expect(texts()).toBe('abc');
    socket().tells({ is: 'news', seq: 1002, moment: {}, cut: 1, lines: [{ text: 'd' }] });
    expect(texts()).toBe('ad');
    socket().tells({ is: 'news', seq: 1003, moment: {}, cut: 0 });
    expect(texts()).toBe('');
  });

  test('leave alone what they do not name, and end a question and a proposal', () => {
    socket().tells({ is: 'news', seq: 1001, moment: { proposal: { side: 1, kind: 'draw', text: 'A draw?' } } });
    expect([battle.sheet?.title, battle.moment.proposal?.kind]).toEqual(['Who?', 'draw']);
    socket().tells({ is: 'news', seq: 1002, moment: { question: 0, waiting_for: [1], has_proposal: false } });
    expect([battle.sheet, battle.moment.proposal, battle.moment.stage]).toEqual([null, null, 'playing']);
  });
});

describe('a veil', () => {
  beforeEach(() => socket().opened().tells(STATE));

  test('is asked for, and starts a new stream from the beginning', () => {
    battle.veil(true);
    expect(socket().sent.at(-1)).toMatchObject({ do: 'veil', on: true });
    const asked = socket().sent.length;
    battle.veil(true);
    expect(socket().sent.length).toBe(asked);
    expect(battle.seq).toBe(0);
  });

  test('covers a question that is for this seat alone', () => {
    socket().tells({ is: 'news', seq: 1001, moment: { question: 9, veil: 'secret' } });
    expect([battle.question, battle.sheet]).toEqual([9, null]);
  });
});

describe('an answer', () => {
  beforeEach(() => socket().opened().tells(STATE));
  const number = () => (socket().sent.at(-1) as { n: number }).n;

  test('is accepted', async () => {
    const accepted = battle.answer(3, 'me');
    expect(socket().sent.at(-1)).toMatchObject({ do: 'answer', question: 3, answer: 'me' });
    socket().tells({ is: 'done', re: number() });
    expect(await accepted).toBe(true);
  });

  test('is refused with a reason, which the next attempt clears', async () => {
    const accepted = battle.answer(3, 'you');
    socket().tells({ is: 'refused', re: number(), refusal: { text: 'Not you.' } });
    expect([await accepted, battle.refusal?.text]).toEqual([false, 'Not you.']);
    void battle.answer(3, 'me');
    expect(battle.refusal).toBeNull();
  });

  test('goes to the question it was made for, even if another is open by now', async () => {
    socket().tells({ is: 'news', seq: 1001, moment: { question: 4 } });
    const accepted = battle.answer(3, 'me');
    expect(socket().sent.at(-1)).toMatchObject({ do: 'answer', question: 3, answer: 'me' });
    socket().tells({ is: 'failed', re: number(), word: 'answer.stale', text: 'Not open any more.' });
    expect([await accepted, battle.refusal, battle.failure]).toEqual([false, null, 'Not open any more.']);
  });

  test('does not fail when only a look-up for it comes too late', async () => {
    for (const [word, failure] of [['answer.stale', ''], ['asked.too-much', 'Too much.']] as const) {
      const looked = battle.ask({ do: 'weigh', question: 2, path: [], answer: 1 });
      socket().tells({ is: 'failed', re: number(), word, text: 'Too much.' });
      expect([(await looked)?.is, battle.failure]).toEqual(['failed', failure]);
    }
  });

  test('is lost with the line', async () => {
    const accepted = battle.answer(3, 'me');
    socket().broke();
    expect(await accepted).toBe(false);
  });
});

describe('a line that broke', () => {
  test('reconnects and says how much it knows', () => {
    socket().opened().tells(STATE);
    socket().broke();
    expect([battle.isConnected, battle.wasConnected, battle.isLost]).toEqual([false, true, false]);
    vi.advanceTimersByTime(500);
    expect(FakeSocket.made).toHaveLength(2);
    expect(socket().opened().sent[0]).toMatchObject({ seen: 1000 });
  });

  test('asks nothing meanwhile', async () => {
    socket().opened().broke();
    expect(await battle.ask({ do: 'undo' })).toBeNull();
  });

  test.each([4003, 4004])('closed for good (%i) does not reconnect', (code) => {
    socket().opened().broke(code);
    vi.advanceTimersByTime(60_000);
    expect([FakeSocket.made.length, battle.isLost]).toEqual([1, true]);
  });

  test('closed by this page stays closed', () => {
    socket().opened();
    battle.close();
    vi.advanceTimersByTime(60_000);
    expect(FakeSocket.made).toHaveLength(1);
  });
});

test('a rematch brings a new seat', () => {
  socket().opened().tells({ is: 'again', battle: 'def', side: 1, token: 'new' });
  expect(battle.again).toMatchObject({ battle: 'def', side: 1, token: 'new' });
});
