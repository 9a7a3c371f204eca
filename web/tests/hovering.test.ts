import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Draft, type Asked } from '../src/battle/draft.svelte';
import type { Reply, Request } from '../src/net/socket';
import type { LaidShown, ModelShown, Option, Plain, RefusalShown, Sheet, UnitShown } from '../src/net/wire';

const LAID: LaidShown = { at: [1, 1], radius: 3 };
const AIM: Sheet = { kind: 'aim', prompt: 'throw', side: 0, title: 'where?', laid: LAID };

class Table implements Asked {
  question = 1;
  models: ModelShown[] = [];
  units: UnitShown[] = [];
  refusal: RefusalShown | null = null;
  asked: Request[] = [];
  refuses: RefusalShown | null = null;

  constructor(readonly sheet: Sheet) {}

  async ask(request: Request): Promise<Reply | null> {
    this.asked.push(request);
    if (request.do !== 'check') return null;
    const at = request.answer as [number, number];
    return { is: 'checked', re: 1, refusal: this.refuses, laid: { at, radius: 3, under: [4] } };
  }

  async answer(_: Plain): Promise<boolean> {
    return true;
  }
}

function begun(sheet: Sheet): { table: Table; draft: Draft } {
  const table = new Table(sheet);
  const draft = new Draft(table);
  draft.follow();
  return { table, draft };
}

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

test('a template follows the pointer at once, and shows whom it covers when the pointer rests', async () => {
  const { table, draft } = begun(AIM);
  draft.hover([5, 6]);
  expect(draft.over?.laid).toEqual({ at: [5, 6], radius: 3, outline: undefined, under: [], isUnjudged: true });
  expect(draft.over?.isRefused).toBe(false);
  draft.hover([7, 6]);
  await vi.advanceTimersByTimeAsync(100);
  expect(table.asked.map((one) => (one.do === 'check' ? one.answer : null))).toEqual([[7, 6]]);
  expect(draft.over?.laid).toEqual({ at: [7, 6], radius: 3, under: [4] });
  expect([draft.point, draft.current, draft.refusal]).toEqual([null, undefined, null]);
});

test('says where it may not lie, without refusing anything chosen', async () => {
  const { table, draft } = begun(AIM);
  table.refuses = { text: 'not seen' };
  draft.hover([5, 6]);
  await vi.advanceTimersByTimeAsync(100);
  expect([draft.over?.isRefused, draft.refusal]).toEqual([true, null]);
});

test('disappears with the pointer, with the answer, and at a question without a template', async () => {
  const { table, draft } = begun(AIM);
  draft.hover([5, 6]);
  draft.hover(null);
  await vi.advanceTimersByTimeAsync(100);
  expect([draft.over, table.asked]).toEqual([null, []]);
  draft.hover([5, 6]);
  await draft.give([5, 6]);
  expect(draft.over).toBeNull();
  const other = begun({ ...AIM, laid: null });
  other.draft.hover([5, 6]);
  expect(other.draft.over).toBeNull();
});

test('a model under the pointer shows the template of the option about it', () => {
  const options: Option[] = [
    { key: 3, text: 'a', laid: LAID },
    { key: 'x', text: 'b', targets: [4], laid: { ...LAID, at: [9, 9] } },
    { key: 5, text: 'c' },
  ];
  const { draft } = begun({ kind: 'choose', prompt: 'marker', side: 0, title: 'on?', options });
  draft.hoverModel(4);
  expect(draft.template?.at).toEqual([9, 9]);
  draft.hoverModel(5);
  expect(draft.hovered).toBeNull();
  draft.hoverModel(3);
  expect(draft.template?.at).toEqual([1, 1]);
  draft.hoverModel(-1);
  expect(draft.hovered).toBeNull();
});
