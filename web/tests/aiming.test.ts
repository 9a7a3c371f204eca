import { beforeEach, expect, test, vi } from 'vitest';
import { Draft, type Asked } from '../src/battle/draft.svelte';
import type { Reply, Request } from '../src/net/socket';
import type { LaidShown, Plain, RefusalShown, Sheet } from '../src/net/wire';

const sheet = (kind: string, more: Partial<Sheet> = {}): Sheet => ({ kind, prompt: kind, side: 0, title: kind, ...more });
const WIDE: RefusalShown = { text: 'too wide' };

/** A server that allows a circle up to a certain width. */
class Table implements Asked {
  question = 0;
  sheet: Sheet | null = null;
  models = [];
  units = [];
  refusal: RefusalShown | null = null;
  answers: Plain[] = [];
  most = 6;

  async ask(request: Request): Promise<Reply | null> {
    if (request.do === 'next') return { is: 'next', re: 1, sheet: null };
    if (request.do !== 'check') return null;
    const [x, y, wide] = request.answer as number[];
    const laid: LaidShown = { at: [x!, y!], radius: wide! / 2, by: [1, 2], most: this.most, told: ['two fire'] };
    return { is: 'checked', re: 1, refusal: wide! > this.most ? WIDE : null, laid };
  }

  async answer(_: number, answer: Plain): Promise<boolean> {
    this.answers.push(answer);
    return true;
  }
}

let table: Table;
let draft: Draft;

async function asks(one: Sheet): Promise<void> {
  table.question++;
  table.sheet = one;
  draft.follow();
  await vi.advanceTimersByTimeAsync(10);
}

beforeEach(() => {
  vi.useFakeTimers();
  table = new Table();
  draft = new Draft(table);
});

const area = sheet('aim', {
  shown: { diameter: [1, 10] },
  proposal: [5, 5, 4],
  laid: { at: [5, 5], radius: 2, most: 6 },
});

test('a circle begins as wide as allowed, is resized between its limits, and its width is the third number', async () => {
  await asks(area);
  table.most = 10;
  draft.aimAt([8, 9]);
  expect(draft.current).toEqual([8, 9, 10]);
  draft.resize(3.24);
  expect(draft.current).toEqual([8, 9, 3.2]);
  draft.resize(0.2);
  expect(draft.size).toBe(1);
  expect(draft.template).toMatchObject({ at: [8, 9], radius: 0.5 });
});

test('a circle too wide for its place is narrowed and judged again', async () => {
  await asks(area);
  draft.aimAt([8, 9]);
  await vi.advanceTimersByTimeAsync(1000);
  expect([draft.size, draft.refusal]).toEqual([6, null]);
  expect(draft.template).toMatchObject({ radius: 3, by: [1, 2], told: ['two fire'] });
});

test('a proposal has its own width, and keys push it', async () => {
  await asks(area);
  draft.propose();
  expect([draft.current, draft.facing]).toEqual([[5, 5, 4], null]);
  expect(draft.push(0.1, -1)).toBe(true);
  expect(draft.current).toEqual([5.1, 4, 4]);
  draft.reset();
  expect([draft.size, draft.push(1, 0)]).toEqual([null, false]);
});

test('a point of a route lies between the walked length and the end of the question', async () => {
  await asks(sheet('along', { shown: { route: [[0, 0], [20, 0]], walked: 4, length: 12, passes: false }, proposal: 7 }));
  expect(draft.current).toBeUndefined();
  draft.aimAt([9, 3]);
  expect(draft.current).toBe(9);
  draft.aimAt([19, 0]);
  expect(draft.length).toBe(12);
  draft.goAlong(1);
  expect(draft.length).toBe(4);
  expect(draft.push(0.5, 0)).toBe(true);
  expect(draft.length).toBe(4.5);
});

test('the answer goes on to the end if nothing else is proposed', async () => {
  await asks(sheet('along', { shown: { route: [[0, 0], [20, 0]], goes_on: true }, suggested: [3] }));
  expect([draft.current, draft.isProposing]).toEqual([null, false]);
  await draft.confirm();
  expect(table.answers).toEqual([null]);
});

test('a secret form with a single answer does not answer itself', async () => {
  const only = sheet('choose', { options: [{ key: 'nobody', text: 'nobody' }] });
  await asks(sheet('form', { first: only, closed: true }));
  expect(table.answers).toEqual([]);
  expect(draft.sheet?.kind).toBe('choose');
  await draft.confirm();
  expect(table.answers).toEqual([['nobody']]);
  await asks(sheet('form', { first: only }));
  expect(table.answers).toEqual([['nobody'], ['nobody']]);
});
