import { beforeEach, expect, test } from 'vitest';
import { lift } from '../src/answers/lifting';
import { Hand } from '../src/board/hand.svelte';
import { Meaning } from '../src/board/meaning';
import { undo } from '../src/answers/undoing';
import { Draft, type Asked } from '../src/battle/draft.svelte';
import { View } from '../src/battle/view.svelte';
import type { Reply, Request } from '../src/net/socket';
import type { ModelShown, Option, Plain, RefusalShown, Sheet } from '../src/net/wire';

const option = (key: Plain, more: Partial<Option> = {}): Option => ({ key, text: String(key), ...more });
const sheet = (kind: string, more: Partial<Sheet> = {}): Sheet => ({ kind, prompt: kind, side: 0, title: kind, ...more });
const model = (row: number): ModelShown => ({ row, unit: row, side: 0, name: `M${row}`, kind: 'm', where: 'table', x: 1, y: 1 });

const WHO = sheet('choose', { options: [option(0), option(1)] });
const HOW = sheet('choose', { options: [option('stay'), option('go')] });

/** The model to move, then how, then in which direction. */
class Table implements Asked {
  question = 1;
  sheet: Sheet | null = sheet('form', { first: WHO });
  models = [model(0), model(1)];
  units = [];
  refusal: RefusalShown | null = null;
  path: Plain[][] | null = [[1, 'go']];
  why: RefusalShown | null = null;

  async ask(request: Request): Promise<Reply | null> {
    if (request.do === 'lift') return { is: 'lifted', re: 1, path: this.path, refusal: this.why };
    if (request.do !== 'next') return null;
    const filled = request.path[0] ?? [];
    if (filled.length === 1) return { is: 'next', re: 1, sheet: HOW };
    if (filled.length === 3) return { is: 'next', re: 1, sheet: null };
    return { is: 'next', re: 1, sheet: sheet('move', { models: [filled[0] as number] }) };
  }

  async answer(_question: number, _answer?: Plain): Promise<boolean> {
    return true;
  }

  undone = 0;

  async undo(): Promise<Reply> {
    this.undone++;
    return { is: 'done', re: 1 };
  }
}

let table: Table;
let draft: Draft;

beforeEach(() => {
  table = new Table();
  draft = new Draft(table);
  draft.follow();
});

test('the answers that lead to a model’s move are given for the player who drags it', async () => {
  expect(await lift(draft, 1)).toBe(true);
  expect(draft.kind).toBe('move');
  expect(draft.moved.map((one) => one.row)).toEqual([1]);
  expect(draft.levels[0]!.steps.map((step) => step.answer)).toEqual([1, 'go']);
});

/** The player lets go of the model at once, and confirms before the question about its move has come. */
async function hasty(): Promise<Plain[]> {
  const given: Plain[] = [];
  table.answer = async (_: number, answer?: Plain) => (given.push(answer ?? null), true);
  const drawn = { draft: () => draft, models: () => table.models, shown: () => [], place: () => ({ x: 0, y: 0, facing: 0 }) };
  const lifting = new Meaning(new View(), new Hand(() => draft), drawn).lifts(1)!;
  void lifting.then((may) => may && draft.set(1, [[1, 5]], null));
  await draft.confirm();
  await lifting;
  return given;
}

test('who confirms while a model is being taken up means its move, and not what was proposed before', async () => {
  expect(await hasty()).toEqual([[1, 'go', [[[1, 5]], null]]]);
});

test('if it cannot be taken up, nothing is confirmed', async () => {
  [table.path, table.why] = [null, { text: 'it has moved' }];
  expect(await hasty()).toEqual([]);
  expect([draft.sheet, table.refusal]).toEqual([WHO, { text: 'it has moved' }]);
});

test('cancelling takes all of them back', async () => {
  await lift(draft, 1);
  expect(draft.isLifted).toBe(true);
  expect(draft.cancel()).toBe(true);
  expect(draft.isLifted).toBe(false);
  expect(draft.sheet).toEqual(WHO);
  expect(draft.levels[0]!.steps).toEqual([]);
});

test('the reason why it cannot be moved is shown, unless quiet', async () => {
  [table.path, table.why] = [null, { text: 'it has moved' }];
  expect(await lift(draft, 0, true)).toBe(false);
  expect(table.refusal).toBe(null);
  expect(await lift(draft, 0)).toBe(false);
  expect(table.refusal).toEqual({ text: 'it has moved' });
  expect(draft.sheet).toEqual(WHO);
});

test('a model that may already be moved needs no answers', async () => {
  table.question++;
  table.sheet = sheet('move', { models: [0] });
  draft.follow();
  expect(await lift(draft, 0)).toBe(true);
  expect(draft.isLifted).toBe(false);
});

test('undo takes back the draft with all that was answered for it, and only then a decision', async () => {
  await lift(draft, 1);
  await undo(table, draft);
  expect([draft.sheet, table.undone]).toEqual([WHO, 0]);
  await undo(table, draft);
  expect(table.undone).toBe(1);
  await lift(draft, 1);
  draft.givenBefore = 2;
  await undo(table, draft);
  expect([draft.sheet, table.undone, draft.givenBefore]).toEqual([WHO, 3, 0]);
});
