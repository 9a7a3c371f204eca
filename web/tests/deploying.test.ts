import { expect, test } from 'vitest';
import { ordersFor, placeDrafted } from '../src/answers/deploying';
import { Draft, type Asked } from '../src/battle/draft.svelte';
import type { Reply, Request } from '../src/net/socket';
import type { ModelShown, Plain, RefusalShown, Sheet, UnitShown } from '../src/net/wire';

const REFUSAL: RefusalShown = { text: 'not in your zone' };
const FORM: Sheet = { kind: 'form', prompt: 'deploy', side: 0, title: 'deploy' };
const PLACE: Sheet = { kind: 'place', prompt: 'deploy', side: 0, title: 'place', models: [0, 1], proposal: [[1, 1, 0], [2, 1, 0]] };
const CHOOSE: Sheet = {
  kind: 'choose', prompt: 'how', side: 0, title: 'how?', proposal: 'b', options: [{ key: 'a', text: 'a' }, { key: 'b', text: 'b' }],
};

class Table implements Asked {
  question = 1;
  sheet: Sheet | null = FORM;
  models: ModelShown[] = [];
  units: UnitShown[] = [];
  refusal: RefusalShown | null = null;
  answers: Plain[] = [];
  refuses: RefusalShown | null = null;
  then: Sheet | null = CHOOSE;

  async ask(request: Request): Promise<Reply | null> {
    const path = request.do === 'next' ? (request.path ?? []) : [];
    if (request.do === 'next') return { is: 'next', re: 1, sheet: [PLACE, this.then, null][path[0]?.length ?? 0] ?? null };
    if (request.do === 'check') return { is: 'checked', re: 1, refusal: this.refuses };
    return null;
  }

  async answer(_question: number, answer: Plain): Promise<boolean> {
    this.answers.push(answer);
    return true;
  }
}

async function begun(table: Table): Promise<Draft> {
  const draft = new Draft(table);
  draft.follow();
  for (let turn = 0; turn < 20; turn++) await Promise.resolve();
  if (draft.kind !== 'place') {
    for (let turn = 0; turn < 20; turn++) await Promise.resolve();
  }
  expect(draft.kind).toBe('place');
  return draft;
}
const wait = () => new Promise<void>((done) => setTimeout(done, 10));

test('undrafted units follow the proposal', async () => {
  const table = new Table();
  expect(await placeDrafted(await begun(table), wait)).toBe('');
  expect(table.answers).toEqual([]);
});

test('a drafted unit is placed where it is, with the proposed answers to the other fields', async () => {
  const table = new Table();
  const draft = await begun(table);
  draft.set(0, [[5, 3]], 90);
  draft.set(1, [[6, 3]], 90);
  expect(await placeDrafted(draft, wait)).toBe('');
  expect(table.answers).toEqual([[[[5, 3, 90], [6, 3, 90]], 'b']]);
});

test('a unit that may not stand there is not placed, and stays drafted', async () => {
  const table = new Table();
  const draft = await begun(table);
  table.refuses = REFUSAL;
  draft.set(0, [[5, 3]], 90);
  draft.set(1, [[6, 3]], 90);
  expect(await placeDrafted(draft, wait)).toBe('ask.deploy-refused');
  expect(table.answers).toEqual([]);
  expect(draft.refusal).toEqual(REFUSAL);
  expect(draft.moved.map((one) => one.points)).toEqual([[[5, 3]], [[6, 3]]]);
});

test('a half-drafted unit is neither placed nor thrown away', async () => {
  const table = new Table();
  const draft = await begun(table);
  draft.set(0, [[5, 3]], 90);
  expect(await placeDrafted(draft, wait)).toBe('ask.deploy-unfinished');
  expect(table.answers).toEqual([]);
  expect(draft.isChanged).toBe(true);
});

test('earlier orders stay', () => {
  expect(ordersFor({ react: 'ask', deploy: 'ask' }, ['deploy', 'deploy-next'])).toEqual({
    react: 'ask', deploy: 'proposed', 'deploy-next': 'proposed',
  });
});
