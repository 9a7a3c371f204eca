import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { Request, Reply } from '../src/net/socket';
import { aims } from '../src/answers/aims';
import { Draft, endOf, type Asked } from '../src/battle/draft.svelte';
import type { Field, ForetoldShown, ModelShown, Option, Plain, RefusalShown, Sheet, UnitShown } from '../src/net/wire';

const option = (key: Plain, text: string, more: Partial<Option> = {}): Option => ({ key, text, ...more });
const sheet = (kind: string, title: string, more: Partial<Sheet> = {}): Sheet => ({ kind, prompt: title, side: 0, title, ...more });
const model = (row: number, unit: number, side: number, x = 0, y = 0): ModelShown => ({
  row,
  unit,
  side,
  name: `M${row}`,
  kind: 'm',
  where: 'table',
  x,
  y,
  facing: 90,
});
const REFUSAL: RefusalShown = { text: 'too far', where: [3, 4], model: 1 };

/** A server with prepared replies; it remembers the requests. */
class Table implements Asked {
  question = 1;
  sheet: Sheet | null = null;
  models = [model(0, 0, 0, 10, 10), model(1, 0, 0, 12, 10), model(2, 1, 1, 30, 30), model(3, 2, 1, 40, 30)];
  units: UnitShown[] = [];
  refusal: RefusalShown | null = null;
  asked: Request[] = [];
  answers: Plain[] = [];
  /** The numbers of the answered questions. */
  answered: number[] = [];
  accepts = true;
  next: (path: Plain[][]) => Sheet | null = () => null;
  fill: (answers: Plain[] | null, changed: number) => Field[] = () => [];
  refuses: (answer: Plain) => RefusalShown | null = () => null;
  plan: () => Partial<Extract<Reply, { is: 'planned' }>> | null = () => ({});
  foretells: ForetoldShown[] = [];

  /** Replies wait for this. */
  late: Promise<void> | null = null;

  /** Whether the line is down. */
  isDown = false;

  async ask(request: Request): Promise<Reply | null> {
    this.asked.push(request);
    if (this.isDown) return null;
    if (this.late) await this.late;
    if (request.do === 'next') return { is: 'next', re: 1, sheet: this.next(request.path) };
    if (request.do === 'fill') return { is: 'filled', re: 1, fields: this.fill(request.answers ?? null, request.changed ?? -1) };
    if (request.do === 'check') return { is: 'checked', re: 1, refusal: this.refuses(request.answer ?? null), foretold: this.foretells };
    if (request.do === 'plan') {
      const found = this.plan();
      return found && { is: 'planned', re: 1, ...found };
    }
    return null;
  }

  async answer(question: number, answer: Plain): Promise<boolean> {
    if (this.isDown) return false;
    this.answers.push(answer);
    this.answered.push(question);
    if (!this.accepts) this.refusal = REFUSAL;
    return this.accepts;
  }
}

let table: Table;
let draft: Draft;

async function asks(one: Sheet): Promise<void> {
  table.question++;
  table.sheet = one;
  draft.follow();
  await settled();
}

async function settled(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await Promise.resolve();
}

beforeEach(() => {
  table = new Table();
  draft = new Draft(table);
});

describe('a choice', () => {
  const who = sheet('choose', 'who?', {
    proposal: 'b',
    options: [
      option('a', 'a', { actors: [0], targets: [2] }),
      option('b', 'b', { actors: [1], targets: [2] }),
      option('c', 'c', { actors: [0], targets: [3] }),
      option('x', 'x', { refusal: REFUSAL }),
      option('end', 'nobody'),
    ],
  });

  test('is shown again in another language, and its pick stays', async () => {
    await asks(who);
    draft.picked = draft.sheet?.options?.[2] ?? null;
    table.sheet = { ...who, options: who.options?.map((one) => ({ ...one, text: `${one.text}!` })) };
    draft.follow();
    expect(draft.picked?.text).toBe('c!');
    expect(draft.sheet?.options?.[0]?.text).toBe('a!');
  });

  test('an answer goes to the question it was made for, even if another has come since', async () => {
    await asks(who);
    const made = table.question;
    table.question++;
    await draft.confirm();
    expect([table.answers, table.answered]).toEqual([['b'], [made]]);
  });

  test('Enter takes the proposal', async () => {
    await asks(who);
    expect(await draft.confirm()).toBe(true);
    expect(table.answers).toEqual(['b']);
  });

  test('numbers count only the open options', async () => {
    await asks(who);
    draft.chooseNumber(4);
    await settled();
    expect(table.answers).toEqual(['end']);
    draft.chooseNumber(5);
    await settled();
    expect(table.answers).toHaveLength(1);
  });

  test('a click on an actor, then on a target, leaves the option about both, and picks it', async () => {
    await asks(who);
    draft.pickModel(0);
    expect(draft.visible.map((one) => one.option.key)).toEqual(['a', 'c']);
    draft.pickModel(3);
    expect(draft.visible.map((one) => one.option.key)).toEqual(['c']);
    expect(draft.picked?.key).toBe('c');
    expect(draft.marks).toMatchObject({ actors: [0], targets: [3] });
  });

  test('Escape lists all options again', async () => {
    await asks(who);
    draft.pickModel(3);
    expect(draft.visible).toHaveLength(1);
    expect(draft.cancel()).toBe(true);
    expect(draft.visible).toHaveLength(4);
    expect(draft.cancel()).toBe(false);
  });

  test('the option about nobody ends the step', async () => {
    await asks(who);
    expect(draft.pickEnd()).toBe(true);
    expect(draft.picked?.key).toBe('end');
  });

  test('targets of several units have letters', async () => {
    await asks(who);
    expect(draft.marks.letters).toEqual({ 2: 'A', 3: 'B' });
  });

  test('options that are each one model of a unit are told apart on the table by their numbers', async () => {
    const one = (row: number, key = row) => option(key, `M${row}`, { actors: [row] });
    await asks(sheet('choose', 'which model?', { options: [one(0), one(1), one(2), option('end', 'none')] }));
    expect(draft.marks.numbers).toEqual({ 0: 1, 1: 2 });
    await asks(sheet('choose', 'which act?', { options: [one(0, 5), one(0, 6)] }));
    expect(draft.marks.numbers).toEqual({});
  });

  test('a closed spot says why not', async () => {
    await asks(sheet('choose', 'where?', { options: [option([1, 2], 'p', { at: [1, 2], refusal: REFUSAL }), option([3, 4], 'q', { at: [3, 4] })] }));
    expect(draft.marks.spots.map((one) => one.closed)).toEqual([true, false]);
    draft.pickSpot([1, 2]);
    expect(draft.refusal?.text).toBe('too far');
    draft.pickSpot([3, 4]);
    expect(draft.picked?.key).toEqual([3, 4]);
  });

  test('another question starts over, the same one again does not', async () => {
    await asks(who);
    draft.pickModel(0);
    table.sheet = { ...who };
    draft.follow();
    expect(draft.visible).toHaveLength(2);
    await asks(who);
    expect(draft.visible).toHaveLength(4);
  });
});

describe('a form, field by field', () => {
  const who = sheet('choose', 'who?', { options: [option('a', 'Ann'), option('b', 'Bob')] });
  const what = sheet('choose', 'what?', { options: [option('go', 'go'), option('stay', 'stay')] });
  const only = sheet('choose', 'only', { options: [option('one', 'one'), option('no', 'no', { refusal: REFUSAL })] });
  const form = sheet('form', 'act', { first: who });

  test('fields with a single answer fill themselves in, and going back skips them', async () => {
    table.next = ([answers = []]) => (answers.length === 1 ? only : answers.length === 2 ? what : null);
    await asks(form);
    expect(draft.sheet?.title).toBe('who?');
    await draft.choose(who.options![1]!);
    expect(draft.sheet?.title).toBe('what?');
    expect(draft.levels[0]?.steps.map((step) => [step.text, step.isForced])).toEqual([
      ['Bob', false],
      ['one', true],
    ]);
    expect(draft.back()).toBe(true);
    expect(draft.sheet?.title).toBe('who?');
    expect(draft.picked?.key).toBe('b');
    await draft.confirm();
    await draft.choose(what.options![0]!);
    expect(table.answers).toEqual([['b', 'one', 'go']]);
  });

  test('a field that comes late, after going back, is not asked', async () => {
    table.next = ([answers = []]) => (answers.length === 1 ? what : null);
    await asks(form);
    let come = () => {};
    table.late = new Promise((done) => (come = done));
    const chosen = draft.choose(who.options![1]!);
    await settled();
    expect(draft.back()).toBe(true);
    come();
    await chosen;
    expect([draft.sheet?.title, draft.levels[0]?.steps.length]).toEqual(['who?', 0]);
  });

  test('a form that begins late, after another question, is dropped', async () => {
    let come = () => {};
    table.late = new Promise((done) => (come = done));
    await asks(sheet('form', 'fire', { whole: true, first: what }));
    table.late = null;
    await asks(form);
    come();
    await settled();
    expect([draft.sheet?.title, draft.levels.length]).toEqual(['who?', 1]);
  });

  test('a form within a form gives one answer of the form around it', async () => {
    const inner = sheet('form', 'details', { first: what });
    table.next = (path) => (path.length === 1 ? (path[0]!.length === 1 ? inner : null) : path[1]!.length === 1 ? who : null);
    await asks(form);
    await draft.choose(who.options![0]!);
    expect(draft.levels).toHaveLength(2);
    await draft.choose(what.options![1]!);
    expect(draft.levels[1]?.steps).toHaveLength(1);
    await draft.choose(who.options![1]!);
    expect(table.answers).toEqual([['a', ['stay', 'b']]]);
    expect(table.asked.filter((one) => one.do === 'next').map((one) => one.path)).toEqual([
      [['a']],
      [['a'], ['stay']],
      [['a'], ['stay', 'b']],
      [['a', ['stay', 'b']]],
    ]);
  });

  test('going back at the first field of an inner form leads out of it', async () => {
    const inner = sheet('form', 'details', { first: what });
    table.next = () => inner;
    await asks(form);
    await draft.choose(who.options![0]!);
    expect(draft.cancel()).toBe(true);
    expect(draft.levels).toHaveLength(1);
    expect(draft.sheet?.title).toBe('who?');
    expect(draft.canGoBack).toBe(false);
  });

  test('actors and targets stay marked while the rest is asked', async () => {
    const party = sheet('choose', 'who acts?', { options: [option('m', 'm', { actors: [1], targets: [3] }), option('n', 'n')] });
    table.next = ([answers = []]) => (answers.length === 1 ? sheet('choose', 'how?', { options: [option('u', 'u'), option('v', 'v')] }) : null);
    await asks(sheet('form', 'act', { first: party }));
    await draft.choose(party.options![0]!);
    expect(draft.sheet?.title).toBe('how?');
    expect(draft.marks).toMatchObject({ actors: [1], targets: [3] });
  });

  test('of a field that is a question of its own only its own models act, and nobody is a target', async () => {
    const next = (anew: boolean) => sheet('choose', 'who next?', { anew, options: [option('m', 'm', { actors: [2] }), option('n', 'n')] });
    await asks(sheet('form', 'move on', { models: [0], first: next(true) }));
    draft.hovered = next(true).options![0]!;
    expect(draft.marks).toMatchObject({ actors: [2], targets: [] });
    await asks(sheet('form', 'help', { models: [0], first: next(false) }));
    draft.hovered = next(false).options![0]!;
    expect(draft.marks).toMatchObject({ actors: [0], targets: [2] });
  });

  test('a target that fills itself in is shown before the form is sent, and asked once', async () => {
    const only = sheet('choose', 'at whom?', { options: [option('t', 't', { targets: [3] })] });
    table.next = ([answers = []]) => (answers.length === 1 ? only : null);
    await asks(sheet('form', 'act', { first: who }));
    await draft.choose(who.options![0]!);
    expect([draft.sheet?.title, table.answers]).toEqual(['at whom?', []]);
    expect(draft.marks.targets).toContain(3);
    await draft.confirm();
    expect(table.answers).toEqual([['a', 't']]);
  });

  test('a crumb leads back to its field', async () => {
    table.next = ([answers = []]) => (answers.length === 1 ? what : answers.length === 2 ? who : null);
    await asks(form);
    await draft.choose(who.options![0]!);
    await draft.choose(what.options![0]!);
    draft.backTo(0, 0);
    expect(draft.sheet?.title).toBe('who?');
    expect(draft.levels[0]?.steps).toEqual([]);
  });

  test('when the line breaks everything stays, and can be given again', async () => {
    const whole = sheet('form', 'facing', { whole: true, first: what });
    table.fill = () => [{ sheet: what, answer: 'go', text: 'go' }];
    table.next = (path) => (path.length === 1 && path[0]!.length === 1 ? whole : null);
    await asks(form);
    await draft.choose(who.options![0]!);
    expect([draft.levels.length, draft.sheet?.title]).toEqual([2, 'facing']);
    table.isDown = true;
    expect(await draft.confirm()).toBe(false);
    expect([draft.levels.length, draft.sheet?.title, draft.current, draft.isBusy]).toEqual([2, 'facing', ['go'], false]);
    table.isDown = false;
    table.next = () => null;
    await draft.confirm();
    expect(table.answers).toEqual([['a', ['go']]]);
  });

  test('when the line breaks before the answer is given, the last field is still asked', async () => {
    table.next = ([answers = []]) => (answers.length === 1 ? what : null);
    await asks(form);
    await draft.choose(who.options![0]!);
    table.isDown = true;
    await draft.choose(what.options![1]!);
    expect([draft.sheet?.title, draft.picked?.key, draft.levels[0]?.steps.length]).toEqual(['what?', 'stay', 1]);
  });

  test('a form that could not begin begins when the line is back', async () => {
    table.isDown = true;
    table.fill = () => [{ sheet: what, answer: 'go', text: 'go' }];
    await asks(sheet('form', 'facing', { whole: true }));
    expect(draft.current).not.toEqual(['go']);
    table.isDown = false;
    draft.follow();
    await settled();
    expect(draft.current).toEqual(['go']);
  });

  test('a refused form asks a form within it again as it was filled in', async () => {
    const inner = sheet('form', 'facing', { whole: true });
    table.fill = (answers) => [{ sheet: what, answer: answers?.[0] ?? 'go', text: 'go' }];
    table.next = ([answers = []]) => (answers.length ? null : inner);
    table.accepts = false;
    await asks(sheet('form', 'act', { first: inner }));
    await draft.change(0, 'stay');
    await draft.confirm();
    expect([draft.sheet?.title, draft.levels.length, draft.current]).toEqual(['facing', 2, ['stay']]);
    expect(draft.refusal?.text).toBe('too far');
  });

  test('a refused form asks the last field again and says why', async () => {
    table.accepts = false;
    await asks(form);
    await draft.choose(who.options![0]!);
    expect(draft.sheet?.title).toBe('who?');
    expect(draft.refusal?.text).toBe('too far');
    expect(draft.isBusy).toBe(false);
  });

  test('a field on the table is judged before the next one is asked', async () => {
    const move = sheet('move', 'way', { models: [0] });
    table.refuses = () => REFUSAL;
    await asks(sheet('form', 'act', { first: move }));
    draft.set(0, [[11, 10]], null);
    expect(await draft.give(draft.current!)).toBe(false);
    expect(draft.refusal?.text).toBe('too far');
    expect(table.asked.at(-1)).toMatchObject({ do: 'check', answer: [[[11, 10]], null], path: [[]] });
  });
});

describe('a question that comes meanwhile', () => {
  test('takes no answer that was given to the question before', async () => {
    await asks(sheet('form', 'act', { first: sheet('move', 'way', { models: [0] }) }));
    draft.set(0, [[11, 10]], null);
    let go = (): void => undefined;
    table.late = new Promise((resolve) => (go = resolve));
    const given = draft.give(draft.current!);
    await asks(sheet('form', 'then', { first: sheet('move', 'where then?', { models: [1] }) }));
    const told = table.asked.length;
    go();
    expect(await given).toBe(false);
    await settled();
    expect(table.asked.slice(told).filter((one) => one.do === 'next')).toEqual([]);
    expect(draft.sheet?.title).toBe('where then?');
    expect(draft.refusal).toBe(null);
  });
});

describe('a drag that another action covers', () => {
  const how = sheet('choose', 'how?', { options: [option('walk', 'Walk (1 AP)'), option('run', 'Run (2 AP)')] });
  const walk = sheet('move', 'walk', { models: [0], shown: { allowance: 5 } });
  const run = sheet('move', 'run', { models: [0], shown: { allowance: 10 } });

  beforeEach(async () => {
    table.next = ([answers = []]) => (answers.length === 1 ? walk : null);
    await asks(sheet('form', 'act', { first: how }));
    await draft.choose(how.options![0]!);
  });

  test('becomes that action, and is given as such', async () => {
    table.plan = () => ({ answer: [[[10, 18]], null], instead: 'run', sheet: run });
    expect(await draft.wish([[0, 10, 18, null]])).toBe(true);
    expect([draft.sheet?.title, draft.levels[0]?.steps[0]?.text]).toEqual(['run', 'Run (2 AP)']);
    await draft.confirm();
    expect(table.answers).toEqual([['run', [[[10, 18]], null]]]);
  });

  test('stays as it is as long as it covers the drag', async () => {
    table.plan = () => ({ answer: [[[10, 14]], null] });
    await draft.wish([[0, 10, 14, null]]);
    await draft.confirm();
    expect(table.answers).toEqual([['walk', [[[10, 14]], null]]]);
  });
});

describe('a form shown whole', () => {
  const at = (unit: number, name: string) =>
    sheet('choose', name, {
      options: [option('hold', 'hold'), option(['at', 2], 'at two', { targets: [2] }), option(['at', 3], 'at three', { targets: [3] })].filter(
        (one) => unit < 9 || one.key === 'hold',
      ),
    });
  const fields = (answers: Plain[] | null): Field[] =>
    ['one', 'two', 'three'].map((name, place) => {
      const answer = answers?.[place] ?? 'hold';
      return { sheet: at(place === 2 ? 9 : 0, name), answer: place === 2 ? 'hold' : answer, text: String(answer), is_forced: place === 2 };
    });

  beforeEach(async () => {
    table.fill = (answers) => fields(answers);
    await asks(sheet('form', 'fire', { whole: true }));
  });

  test('is proposed in full, and one key accepts it', async () => {
    expect(draft.whole?.steps).toHaveLength(3);
    expect(await draft.confirm()).toBe(true);
    expect(table.answers).toEqual([['hold', 'hold', 'hold']]);
  });

  test('is shown again in another language, and only then', async () => {
    await draft.change(0, ['at', 3]);
    table.sheet = { ...table.sheet! };
    draft.follow();
    await settled();
    expect(draft.whole?.steps[0]?.answer).toEqual(['at', 3]);
    table.sheet = { ...table.sheet, title: 'fuoco' };
    draft.follow();
    await settled();
    expect(draft.whole?.form.title).toBe('fuoco');
    expect(draft.levels).toHaveLength(1);
  });

  test('lays its template on the table, and a tap on the ground puts it elsewhere', async () => {
    const laid = { at: [20, 26] as [number, number], radius: 4, under: [2] };
    const area = (answer: Plain): Field => ({ sheet: sheet('aim', 'area', { laid }), answer, text: '', is_forced: false });
    expect(draft.template).toBe(null);
    expect(draft.aimWhole([1, 2])).toBe(false);
    table.fill = (answers) => [...fields(answers), area(answers?.[3] ?? [20, 26, 8])];
    await draft.restart();
    expect(draft.template).toEqual(laid);
    expect(draft.aimWhole([21.00001, 27])).toBe(true);
    expect(table.asked.at(-1)).toMatchObject({ do: 'fill', answers: ['hold', 'hold', 'hold', [21, 27, 8]], changed: 3 });
    expect([draft.isTarget(2), draft.isTarget(0)]).toEqual([true, false]);
  });

  test('the targets of its answers are marked', async () => {
    expect(draft.marks.targets).toEqual([]);
    await draft.change(0, ['at', 3]);
    expect(draft.marks.targets).toEqual([3]);
  });

  test('a changed answer goes to the server with its place', async () => {
    await draft.change(1, ['at', 3]);
    expect(table.asked.at(-1)).toMatchObject({ do: 'fill', answers: ['hold', ['at', 3], 'hold'], changed: 1, path: [] });
    expect(draft.whole?.steps.map((step) => step.answer)).toEqual(['hold', ['at', 3], 'hold']);
  });

  test('a click on a target aims at it all that can be', async () => {
    expect(draft.canPick(2)).toBe(true);
    expect(draft.canPick(0)).toBe(false);
    draft.pickModel(3);
    await vi.waitFor(() => expect(draft.isBusy || draft.levels.length > 1).toBe(true));
    await settled();
    expect(draft.whole?.steps.map((step) => step.answer)).toEqual([['at', 3], ['at', 3], 'hold']);
  });

  test('a field is asked on its own and then returns to the sheet', async () => {
    await draft.edit(1);
    expect(draft.sheet?.title).toBe('two');
    expect(draft.whole).toBe(null);
    await draft.choose(draft.sheet!.options![1]!);
    expect(draft.whole?.steps[1]?.answer).toEqual(['at', 2]);
    await draft.edit(0);
    expect(draft.back()).toBe(true);
    expect(draft.whole?.steps[1]?.answer).toEqual(['at', 2]);
  });
});

describe('a form shown whole with moves in it', () => {
  const drive: Field = { sheet: sheet('move', 'drive', { models: [0] }), answer: [[[14, 10]], null], text: 'there', is_forced: false };

  test('taking up a model asks its move separately, from where the model stands', async () => {
    table.fill = () => [drive];
    await asks(sheet('form', 'both', { whole: true }));
    draft.takeUp(1);
    expect(draft.whole?.steps).toHaveLength(1);
    draft.takeUp(0);
    expect(draft.whole).toBe(null);
    expect(draft.moved.map((one) => endOf(one))).toEqual([{ x: 10, y: 10, facing: 90 }]);
    expect(draft.back()).toBe(true);
    expect(draft.whole?.steps[0]?.answer).toEqual([[[14, 10]], null]);
  });
});

describe('allotted items', () => {
  const wounds = sheet('allot', 'wounds', { items: ['w', 'w', 'w'], holders: [0, 1], proposal: [0, 0, 1] });

  test('one key accepts the proposal', async () => {
    await asks(wounds);
    await draft.confirm();
    expect(table.answers).toEqual([[0, 0, 1]]);
  });

  test('a click on a model gives it one more, and the result is judged', async () => {
    vi.useFakeTimers();
    await asks(wounds);
    table.refuses = () => REFUSAL;
    draft.pickModel(1);
    expect(draft.given).toEqual([0, 1, 1]);
    expect(draft.marks.holders).toEqual({ 0: 1, 1: 2 });
    expect(draft.isChecking).toBe(true);
    await vi.runAllTimersAsync();
    expect(draft.refusal?.text).toBe('too far');
    expect(draft.canConfirm).toBe(false);
    vi.useRealTimers();
  });
});

describe('an order', () => {
  const checks = (): Request[] => table.asked.filter((one) => one.do === 'check');

  test.each([
    [true, 2],
    [false, 0],
  ])('with odds (%s) is judged as it is proposed, and after a change', async (weighed, count) => {
    vi.useFakeTimers();
    await asks(sheet('order', 'weapons', { items: ['a', 'b'], keys: ['a', 'b'], proposal: ['a', 'b'], weighed }));
    await vi.runAllTimersAsync();
    draft.ordered = ['b', 'a'];
    draft.touched();
    await vi.runAllTimersAsync();
    expect(checks()).toHaveLength(count);
    vi.useRealTimers();
  });
});

describe('models on the table', () => {
  const move = sheet('move', 'way', { models: [0, 1], several: true, proposal: [[[[10, 16]], null], [[[12, 16]], null]], shown: { allowance: 6 } });

  test('Enter first shows the proposal, then takes it', async () => {
    await asks(move);
    expect(draft.isProposing).toBe(true);
    expect(await draft.confirm()).toBe(false);
    expect(draft.moved.map((one) => endOf(one)?.y)).toEqual([16, 16]);
    expect(await draft.confirm()).toBe(true);
    expect(table.answers).toEqual([move.proposal]);
  });

  test('notes about the draft come once it is judged or planned, and go with the question', async () => {
    const note: ForetoldShown = { text: 'through the wood', rule: { id: 'rough', title: 'Rough' } };
    await asks(move);
    expect(draft.foretold).toBe(null);
    table.foretells = [note];
    draft.set(0, [[11, 12]], null);
    await draft.checkNow();
    expect(draft.foretold).toEqual([note]);
    table.plan = () => ({ answer: [[[[10, 15]], null], [[[12, 15]], null]] });
    await draft.wish([[0, 10, 20, null], [1, 12, 20, null]]);
    expect(draft.foretold).toEqual([]);
    table.plan = () => ({ answer: [[[[10, 15]], null], [[[12, 15]], null]], foretold: [note] });
    await draft.wish([[0, 10, 20, null], [1, 12, 20, null]]);
    expect(draft.foretold).toEqual([note]);
    await asks(sheet('move', 'another', { models: [0] }));
    expect(draft.foretold).toBe(null);
  });

  test('staying is an explicit answer, not an accident', async () => {
    await asks(move);
    draft.stay();
    expect(draft.isProposing).toBe(false);
    await draft.confirm();
    expect(table.answers).toEqual([[[[], null], [[], null]]]);
  });

  test('way-points are added and removed, facings turned', async () => {
    await asks(move);
    draft.set(0, [[11, 12]], null);
    draft.wayPoint(0, [11, 14]);
    draft.turn(0, 45);
    expect(draft.current).toEqual([[[[11, 12], [11, 14]], 45], [[], null]]);
    draft.unpoint(0);
    expect(draft.moved[0]?.points).toEqual([[11, 12]]);
    expect(draft.cancel()).toBe(true);
    expect(draft.moved[0]?.points).toEqual([]);
  });

  test('the planner gets the wishes and the models to keep', async () => {
    await asks(move);
    table.plan = () => ({ answer: [[[[10, 15]], null], [[[12, 15]], null]], text: 'as far as they can' });
    expect(await draft.wish([[0, 10, 20, null], [1, 12, 20, null]])).toBe(true);
    expect(table.asked.at(-1)).toMatchObject({ do: 'plan', kept: null });
    expect(draft.moved[1]?.points).toEqual([[12, 15]]);
    expect(draft.proposed).toBe('as far as they can');
    table.plan = () => ({ refusal: REFUSAL });
    expect(await draft.wish([[0, 10, 90, null]])).toBe(false);
    expect(table.asked.at(-1)).toMatchObject({ kept: [[[[10, 15]], null], [[[12, 15]], null]] });
    expect(draft.refusal?.text).toBe('too far');
    expect(draft.moved[1]?.points).toEqual([[12, 15]]);
  });

  test('confirming while the planner is at work gives its result, and nothing if it finds no way', async () => {
    const found = [[[[10, 15]], null], [[[12, 15]], null]];
    await asks(move);
    for (const [plan, answers] of [[{ answer: found }, [found]], [{ refusal: REFUSAL }, []]] as const) {
      let heard = (): void => undefined;
      table.late = new Promise((done) => (heard = done));
      table.plan = () => plan;
      table.answers = [];
      void draft.wish([[0, 10, 20, null], [1, 12, 20, null]]);
      const confirmed = draft.confirm();
      heard();
      table.late = null;
      expect(await confirmed).toBe(answers.length > 0);
      expect(table.answers).toEqual(answers);
    }
  });

  test('confirming waits for the last wish, not for one that was given up', async () => {
    await asks(move);
    table.plan = () => ({ answer: [[[[10, 20]], null], [[[12, 20]], null]] });
    void draft.wish([[0, 10, 30, null], [1, 12, 30, null]]);
    const confirmed = draft.confirm();
    void draft.wish([[0, 10, 20, null], [1, 12, 20, null]]);
    expect(await confirmed).toBe(true);
    expect(table.answers).toHaveLength(1);
  });

  test('a wish that the server does not hear is judged as it was drawn', async () => {
    await asks(move);
    table.plan = () => null;
    expect(await draft.wish([[0, 10, 90, null], [1, 12, 90, null]])).toBe(false);
    expect(draft.isChecking).toBe(true);
  });

  test('confirming while a typed line is being carried out gives that line, and no proposal', async () => {
    await asks({ ...move, proposal: [[[[10, 11]], null], [[[12, 11]], null]] });
    let come = (): void => undefined;
    draft.doing = new Promise<void>((done) => (come = done));
    void draft.doing.then(() => draft.setAll(new Map([[0, { x: 10, y: 14, facing: 0 }], [1, { x: 12, y: 14, facing: 0 }]])));
    const confirmed = draft.confirm();
    come();
    expect(await confirmed).toBe(true);
    expect(table.answers.at(-1)).toMatchObject([[[[10, 14]], 0], [[[12, 14]], 0]]);
  });

  test('models that could not follow are known until the next change', async () => {
    await asks(move);
    table.plan = () => ({ answer: [[[[10, 20]], null], [[[12, 17]], null]] });
    await draft.wish([[0, 10, 20, null], [1, 12, 20, null]]);
    expect(draft.behind).toEqual([1]);
    draft.set(1, [[12, 18]], null);
    expect(draft.behind).toEqual([]);
    await draft.wish([[0, 10, 20, null], [1, 12, 20, null]]);
    expect(draft.behind).toEqual([1]);
    table.plan = () => ({ refusal: REFUSAL });
    await draft.wish([[0, 10, 90, null], [1, 12, 90, null]]);
    expect(draft.behind).toEqual([]);
  });

  test('a place is complete once every model is set down', async () => {
    table.models = table.models.map((one) => ({ ...one, where: 'reserve' }));
    await asks(sheet('place', 'deploy', { models: [0, 1] }));
    expect(draft.moved[0]?.start).toBe(null);
    draft.set(0, [[5, 5]], 0);
    expect(draft.current).toBeUndefined();
    draft.set(1, [[7, 5]], 90);
    expect(draft.current).toEqual([[5, 5, 0], [7, 5, 90]]);
  });

  test('an aim has a direction if the suggestion has one', async () => {
    await asks(sheet('aim', 'where?', { suggested: [[1, 2]] }));
    draft.aimAt([3, 4], 90);
    expect(draft.current).toEqual([3, 4]);
    await asks(sheet('aim', 'where?', { suggested: [[1, 2, 0]] }));
    draft.aimAt([3, 4], 90);
    expect(draft.current).toEqual([3, 4, 90]);
  });

  test('a point of a route is the walked length up to it', async () => {
    await asks(sheet('along', 'stop?', { shown: { route: [[0, 0], [10, 0], [10, 10]] } }));
    draft.aimAt([12, 4]);
    expect(draft.current).toBe(14);
  });

  test('a refusal is shown at its place, or at its model', async () => {
    await asks(move);
    draft.showWhere(REFUSAL);
    expect(draft.show).toEqual({ at: [3, 4], n: 1 });
    draft.showWhere({ text: '', model: 1 });
    expect(draft.show).toEqual({ at: [12, 10], n: 2 });
  });
});

describe('real dice', () => {
  test('are complete with as many faces as the roll needs', async () => {
    await asks(sheet('roll', 'hits', { shown: { count: 2, sides: 6 } }));
    draft.ordered = [3];
    expect(draft.current).toBeUndefined();
    draft.ordered = [3, 6];
    expect(draft.current).toEqual([3, 6]);
  });
});

describe('units on the table', () => {
  const place = () => sheet('place', 'deploy', { models: [0, 1], proposal: [[20, 5, 0], [24, 5, 0]] });
  const plans = () => table.asked.filter((one) => one.do === 'plan');

  test('a formation is asked for at the unit’s proposed place, and kept for the next places', async () => {
    table.models = table.models.map((one) => (one.row < 2 ? { ...one, where: 'reserve' } : one));
    await asks(place());
    table.plan = () => ({ answer: [[21, 5, 0], [23, 5, 0]] });
    expect(await draft.form({ name: 'line', spacing: 0.5 })).toBe(true);
    expect(plans()[0]).toMatchObject({ wish: [[0, 22, 5, 0]], kept: null, formation: 'line', spacing: 0.5 });
    await draft.wishAbout([30, 6]);
    expect(plans()[1]).toMatchObject({ wish: [[0, 30, 6, 0]], formation: 'line', spacing: 0.5 });
  });

  test('one model, and a move, have no formation', async () => {
    await asks(sheet('move', 'move', { models: [0, 1], several: true }));
    expect(draft.mayForm).toBe(false);
    expect(await draft.form({ name: 'line', spacing: null })).toBe(false);
    expect(plans()).toEqual([]);
  });

  test('a corner in the way of a unit brings its middle there, in the same arrangement', async () => {
    await asks(sheet('move', 'move', { models: [0, 1], several: true }));
    draft.wayPoints([0, 1], [11, 14]);
    draft.wayPoints([0, 1], [15, 14]);
    expect(draft.moved.map((one) => one.points)).toEqual([
      [[10, 14], [14, 14]],
      [[12, 14], [16, 14]],
    ]);
    draft.wayPoints([1], [20, 20]);
    expect(draft.moved.map((one) => one.points.length)).toEqual([2, 3]);
  });
});

describe('fire in one sheet', () => {
  const at = (key: Plain, row: number, more: Partial<Option> = {}) => option(key, String(key), { targets: [row], ...more });
  const gun = sheet('choose', 'gun?', { models: [0], options: [at('a', 2), at('b', 3), option('hold', 'hold')] });
  const fire = sheet('form', 'fire', { models: [0], first: gun });
  const all = sheet('form', 'who shoots?', { whole: true });

  function fields(answer: Plain): Field[] {
    const aims: [number[], number[]][] = answer === 'hold' ? [] : [[[0], [answer === 'a' ? 2 : 3]]];
    return [{ sheet: fire, answer: [answer], text: 'fire', aims }];
  }

  beforeEach(async () => {
    table.models = [model(0, 0, 0), model(1, 1, 0), model(2, 2, 1), model(3, 3, 1), model(4, 4, 1)];
    table.fill = (answers) => fields((answers?.[0] as Plain[] | undefined)?.[0] ?? 'a');
    await asks(all);
  });

  test('shows who is aimed at whom', () => {
    expect(aims(draft)).toEqual([{ from: [0], to: [2] }]);
  });

  test('a click on a unit and one on its target aim it', async () => {
    expect(draft.canPick(3)).toBe(false);
    draft.select([0]);
    expect(draft.canPick(3)).toBe(true);
    draft.pickModel(3);
    await vi.waitFor(() => expect(aims(draft)).toEqual([{ from: [0], to: [3] }]));
    expect(draft.whole?.form).toBe(all);
  });

  test('tells why a target cannot be shot at', async () => {
    gun.options?.push(at('far', 4, { refusal: REFUSAL }));
    draft.select([0]);
    draft.pickModel(4);
    await vi.waitFor(() => expect(draft.refusal).toEqual(REFUSAL));
    expect(draft.cancel()).toBe(true);
    await settled();
    expect(aims(draft)).toEqual([{ from: [0], to: [2] }]);
  });

  test('says that a unit outside the targets cannot be shot at', async () => {
    table.models.push(model(5, 5, 1));
    draft.select([0]);
    draft.pickModel(5);
    await vi.waitFor(() => expect(draft.refusal?.text).toMatch(/cannot target these/));
  });
});

test('the other side’s declared aims are drawn with the question about them', async () => {
  table.models = [model(0, 0, 0), model(1, 1, 1)];
  await asks(sheet('choose', 'react?', { shown: { aims: [[1, 0]] }, options: [option('none', 'none'), option('fire', 'fire')] }));
  expect(aims(draft)).toEqual([{ from: [1], to: [0] }]);
});
