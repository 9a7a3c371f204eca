import { beforeEach, describe, expect, test } from 'vitest';
import { badges, badgeTurn, broken, isFarAway, length, pipArc, signs, standing, STEM } from '../src/board/drawing';
import { lagging, swung, type Wish } from '../src/answers/ways';
import { Hand } from '../src/board/hand.svelte';
import { numbered } from '../src/board/numbers';
import { Meaning } from '../src/board/meaning';
import { coherency, limitsOf, preview } from '../src/marks/preview';
import { likeness, strewn } from '../src/board/scenery';
import { told, tokenTold } from '../src/board/telling';
import type { Draft, Moved } from '../src/battle/draft.svelte';
import type { Body, Stance, XY } from '../src/lib/geometry';
import { contains } from '../src/lib/geometry';
import { partsOf } from '../src/battle/units';
import { View } from '../src/battle/view.svelte';
import type { ModelShown, TableShown } from '../src/net/wire';

const TABLE: TableShown = { width: 48, depth: 36, unit: 'inch', grid: 6 };
const ROUND = { radius: 0.5, height: 1 };

function model(row: number, x: number, y: number, side = 0, unit = 0): ModelShown {
  return { row, side, unit, name: `Keeper ${row}`, kind: 'Keeper', where: 'table', x, y, shape: ROUND };
}

function moved(row: number, start: XY, ...points: XY[]): Moved {
  return { row, start: { x: start[0], y: start[1], facing: 0 }, points, facing: null, isSet: true };
}

const ends = (all: Moved[]): Map<number, Stance> =>
  new Map(
    all.map((one) => [
      one.row,
      { x: (one.points.at(-1) ?? [one.start!.x])[0], y: one.points.at(-1)?.[1] ?? one.start!.y, facing: 0 },
    ]),
  );

function seen(models: ModelShown[], all: Moved[], shown: Parameters<typeof limitsOf>[0] = {}) {
  return preview(models, all, ends(all), new Map(), limitsOf(shown), TABLE);
}

describe('a move in the making', () => {
  test('is as long as its way, including way-points', () => {
    const found = seen([model(0, 5, 5)], [moved(0, [5, 5], [8, 5], [8, 9])], { allowance: 7 });
    expect(found.longest).toBe(7);
    expect(found.ways[0]?.isOver).toBe(false);
  });

  test('is too long beyond the allowance, and only then', () => {
    expect(seen([model(0, 5, 5)], [moved(0, [5, 5], [11, 5])], { allowance: 6 }).ways[0]?.isOver).toBe(false);
    expect(seen([model(0, 5, 5)], [moved(0, [5, 5], [11.1, 5])], { allowance: 6 }).ways[0]?.isOver).toBe(true);
  });

  test('may end in contact, but not on another base', () => {
    const models = [model(0, 5, 5), model(1, 10, 5, 1, 1)];
    expect(seen(models, [moved(0, [5, 5], [9, 5])]).faults).toEqual([]);
    expect(seen(models, [moved(0, [5, 5], [9.1, 5])]).faults.map((one) => one.problem)).toEqual(['overlap']);
  });

  test('may not end on a base of its own unit, at that base’s new place', () => {
    const models = [model(0, 5, 5), model(1, 10, 5)];
    const together = [moved(0, [5, 5], [10, 5]), moved(1, [10, 5], [15, 5])];
    expect(seen(models, together).faults).toEqual([]);
    expect(seen(models, [together[0]!, moved(1, [10, 5])]).faults[0]?.problem).toBe('overlap');
  });

  test('keeps clear of enemies, and of enemies only', () => {
    const at = (side: number) =>
      seen([model(0, 5, 5), model(1, 12, 5, side, 1)], [moved(0, [5, 5], [10.5, 5])], { clear_of_enemies: 1 });
    expect(at(1).faults.map((one) => one.problem)).toEqual(['enemy']);
    expect(at(0).faults).toEqual([]);
  });

  test('stays on the table and in its area', () => {
    expect(seen([model(0, 5, 5)], [moved(0, [5, 5], [0.5, 5])]).faults).toEqual([]);
    expect(seen([model(0, 5, 5)], [moved(0, [5, 5], [0.4, 5])]).faults[0]?.problem).toBe('off');
    expect(seen([model(0, 5, 5)], [moved(0, [5, 5], [7, 5])], { area: [0, 0, 7, 36] }).faults[0]?.problem).toBe(
      'outside',
    );
    expect(seen([model(0, 5, 5)], [moved(0, [5, 5], [6.5, 5])], { area: [0, 0, 7, 36] }).faults).toEqual([]);
  });

  test('shows who is left behind', () => {
    const models = [model(0, 5, 5), model(1, 7, 5), model(2, 9, 5)];
    const all = [moved(0, [5, 5]), moved(1, [7, 5]), moved(2, [9, 5], [11, 5])];
    const found = seen(models, all, { coherency: 2 });
    expect(found.faults).toEqual([{ row: 2, at: [11, 5], problem: 'apart' }]);
    expect(found.linked).toHaveLength(1);
    expect(found.broken).toHaveLength(1);
  });

  test('draws the shortest line that would join the parts', () => {
    const bodies = [0, 2, 10].map((x): Body => ({ x, y: 0, facing: 0, shape: ROUND }));
    expect(coherency(bodies, 2).broken).toEqual([
      [
        [9.5, 0],
        [2.5, 0],
      ],
    ]);
    expect(coherency(bodies, 7).broken).toEqual([]);
  });
});

class Drafted {
  kind = 'move';
  sheet = null;
  moved: Moved[] = [];
  wished: unknown[] = [];
  set(row: number, points: XY[], facing: number | null) {
    this.moved = this.moved.map((one) => (one.row === row ? { ...one, points, facing } : one));
  }
  turn(row: number, facing: number) {
    this.set(row, this.moved.find((one) => one.row === row)!.points, facing);
  }
  about: XY[] = [];
  isBusy = false;
  wishAbout(point: XY) {
    this.about.push(point);
    return Promise.resolve(true);
  }
  wish(wish: unknown[]) {
    this.wished = wish;
    return Promise.resolve(true);
  }
}

describe('the hand', () => {
  let draft: Drafted;
  let hand: Hand;

  beforeEach(() => {
    draft = new Drafted();
    draft.moved = [moved(0, [5, 5]), moved(1, [7, 5])];
    hand = new Hand(() => draft as unknown as Draft);
  });

  test('a tap moves models being placed that already stand somewhere, unless the draft is busy', () => {
    expect(hand.setAnew([9, 9])).toBe(false);
    draft.kind = 'place';
    expect(hand.setAnew([9, 9])).toBe(true);
    draft.isBusy = true;
    expect(hand.setAnew([3, 3])).toBe(false);
    expect(draft.about).toEqual([[9, 9]]);
  });

  test('a tap on the ground moves the one model set down, even if selected; with several it deselects', () => {
    const view = new View();
    const shown = { draft: () => draft as unknown as Draft, models: () => [], shown: () => [], place: () => moved(0, [0, 0]).start! };
    const meaning = new Meaning(view, hand, shown);
    const tap = (at: XY) => meaning.tap(-1, at, { ctrlKey: false, shiftKey: false });
    Object.assign(draft, { kind: 'place', select: () => undefined });
    view.select([0]);
    tap([9, 9]);
    expect(draft.about).toEqual([]);
    expect(view.selected).toEqual([]);
    draft.moved = [moved(0, [5, 5])];
    view.select([0]);
    tap([9, 9]);
    expect(draft.about).toEqual([[9, 9]]);
    expect(view.selected).toEqual([0]);
    view.select([3]);
    tap([4, 4]);
    expect(draft.about).toEqual([[9, 9]]);
  });

  test('a long table is turned on an upright screen: places, steps and the fixed point follow', () => {
    const view = new View();
    view.resize(390, 560);
    view.lay({ width: 72, depth: 48, unit: 'inch', grid: 6 });
    expect([view.isTurned, view.isLong]).toEqual([true, true]);
    const places: XY[] = [[0, 0], [72, 48], [10, 40]];
    for (const place of places) {
      const [x, y] = view.at(...view.pixelsOf(place));
      expect([x, y].map(Math.round)).toEqual(place);
    }
    const [[left, top], [right, bottom]] = [view.pixelsOf([0, 0]), view.pixelsOf([72, 48])];
    expect([right > left, bottom > top, bottom - top > right - left]).toEqual([true, true, true]);
    expect([view.step(1, 0), view.step(0, 1)]).toEqual([[-0, 1], [-1, 0]]);
    const held = view.at(100, 300);
    view.zoom(2, 100, 300);
    expect(view.at(100, 300).map((one) => one.toFixed(6))).toEqual(held.map((one) => one.toFixed(6)));
    const before = view.pixelsOf([20, 20]);
    view.pan(30, -12);
    expect(view.pixelsOf([20, 20]).map(Math.round)).toEqual([before[0] + 30, before[1] - 12].map(Math.round));
  });

  test('a table is not turned if that makes it no larger', () => {
    const view = new View();
    view.resize(390, 560);
    view.lay({ width: 48, depth: 48, unit: 'inch', grid: 6 });
    expect([view.isTurned, view.isLong, view.turning, view.upright, view.level]).toEqual([false, false, '', '', '']);
    view.lay({ width: 72, depth: 48, unit: 'inch', grid: 6 });
    view.resize(900, 700);
    expect([view.isTurned, view.step(1, 0)]).toEqual([false, [1, 0]]);
  });

  test('dragging the handle of a circle past its centre leaves the circle as narrow as allowed', () => {
    const view = new View();
    const widths: number[] = [];
    Object.assign(draft, { point: [20, 10], resize: (to: number) => widths.push(to) });
    const shown = { draft: () => draft as unknown as Draft, models: () => [], shown: () => [], place: () => moved(0, [0, 0]).start! };
    const meaning = new Meaning(view, hand, shown);
    for (const x of [24, 21, 16, 4]) meaning.sizes([x, 10]);
    expect(widths).toEqual([...widths].sort((a, b) => b - a));
    expect(widths[0]).toBeCloseTo(2 * (4 - STEM * view.pixel));
    expect(widths[3]).toBeLessThan(0);
  });

  test('moves the carried models together and wishes for their places on the drop', async () => {
    hand.take([0, 1, 9], [5, 5]);
    hand.drag([8, 6]);
    expect([...hand.at.entries()].map(([row, at]) => [row, at.x, at.y])).toEqual([
      [0, 8, 6],
      [1, 10, 6],
    ]);
    await hand.drop();
    expect(draft.wished).toEqual([
      [0, 8, 6, null],
      [1, 10, 6, null],
    ]);
    expect(hand.isBusy).toBe(false);
  });

  test('sets way-points', async () => {
    hand.take([0], [5, 5]);
    hand.drag([8, 5]);
    hand.wayPoint([8, 5]);
    hand.drag([8, 7]);
    await hand.drop();
    expect(draft.wished).toEqual([
      [0, 8, 5, null],
      [0, 8, 7, null],
    ]);
  });

  test('replaces the end when the same model is taken up again', async () => {
    draft.moved = [moved(0, [5, 5], [8, 5])];
    hand.take([0], [8, 5]);
    hand.drag([9, 6]);
    await hand.drop();
    expect(draft.moved[0]?.points).toEqual([[9, 6]]);
  });

  test('a model brought back to its place has not moved', async () => {
    draft.moved = [moved(0, [5, 5], [8, 5])];
    hand.take([0], [8, 5]);
    hand.drag([5, 5.01]);
    await hand.drop();
    expect(draft.moved[0]?.points).toEqual([]);
    expect(draft.wished).toEqual([]);
  });

  test('puts back the models that it lets go', () => {
    hand.take([0], [5, 5]);
    hand.drag([8, 5]);
    hand.let();
    expect(hand.at.size).toBe(0);
    expect(draft.moved[0]?.points).toEqual([]);
  });

  test('turns and nudges', () => {
    hand.turn(-15, [0]);
    expect(draft.moved[0]?.facing).toBe(345);
    hand.nudge([1], 0, 0.1);
    expect(draft.moved[1]?.points).toEqual([[7, 5.1]]);
  });

  test('holds only models that the question is about', () => {
    expect(hand.mayMove(9)).toBe(false);
    draft.kind = 'choose';
    expect(hand.mayMove(0)).toBe(false);
  });
});

describe('the view', () => {
  test('zooms about the place under the pointer', () => {
    const view = new View();
    view.resize(800, 600);
    view.lay(TABLE);
    const before = view.at(200, 150);
    view.zoom(2, 200, 150);
    expect(view.at(200, 150)[0]).toBeCloseTo(before[0]);
    expect(view.at(200, 150)[1]).toBeCloseTo(before[1]);
  });

  test('shows all of the table until the player moves it, and then keeps still', () => {
    const view = new View();
    view.resize(800, 600);
    view.lay(TABLE);
    const fitted = view.scale;
    view.resize(400, 300);
    const smaller = view.scale;
    expect(smaller).toBeLessThan(fitted);
    view.pan(10, 0);
    view.resize(800, 600);
    expect(view.scale).toBe(smaller);
  });

  test('the tools do not cover the table', () => {
    for (const [wide, high] of [
      [800, 400],
      [400, 700],
    ] as const) {
      const view = new View();
      view.resize(wide, high);
      view.lay(TABLE);
      const [right, down] = view.drawn(view.at(wide < 560 ? 0 : 54, wide < 560 ? 54 : 0));
      expect(wide < 560 ? down < 0 : right < 0).toBe(true);
    }
  });

  test('adds to the selection, and removes what is already selected', () => {
    const view = new View();
    view.select([1]);
    view.select([2], true);
    expect(view.selected).toEqual([1, 2]);
    view.select([1], true);
    expect(view.selected).toEqual([2]);
    view.select([5]);
    expect(view.selected).toEqual([5]);
  });
});

describe('drawing', () => {
  test('no badge on a base covers the next', () => {
    const gap = (size: number, far: number) => 2 * far * Math.sin((badgeTurn(size, far) * Math.PI) / 360);
    expect(gap(5.5, 10)).toBeCloseTo(11);
    expect(badgeTurn(5.5, 80)).toBe(32);
    expect(badgeTurn(9, 5)).toBe(90);
  });

  test('of several ranks only the highest is a badge, and a model alone does not lead its unit', () => {
    const marks = [
      { key: 'acted', text: 'has acted', state: 'done' },
      { key: 'leads', text: 'group leader', state: 'leads' },
      { key: 'unit-leader', text: 'unit leader', state: 'heads' },
      { key: 'wounds', text: 'wounds lost' },
    ];
    const keys = (some: typeof marks, isAlone: boolean) => badges(some, isAlone).map((one) => one.key);
    expect(keys(marks, false)).toEqual(['leads', 'wounds']);
    expect(keys(marks.slice(2), false)).toEqual(['unit-leader', 'wounds']);
    expect(keys(marks.slice(2), true)).toEqual(['wounds']);
  });

  test('units have different signs', () => {
    const unit = (row: number, side: number, name: string) => ({ row, side, name, models: [] });
    const found = signs([
      unit(0, 0, 'Reed folk'),
      unit(1, 0, 'River fowl'),
      unit(2, 1, 'Reed folk'),
      unit(3, 0, 'Snapper 2'),
      unit(4, 0, 'Raider (3)'),
    ]);
    expect([...found.values()]).toEqual(['Rf', 'Rf2', 'Rf3', 'Sn2', 'Ra3']);
  });

  test('no two units share a sign, whatever numbers their names end in', () => {
    const names = ['Alpha', 'Alpha 2', 'Alpha', 'Alphabet', 'Alpha 3', 'Alpha (2)', 'Alp 2', 'Al'];
    const found = signs(names.map((name, row) => ({ row, side: row % 2, name, models: [] })));
    expect(new Set(found.values()).size).toBe(names.length);
  });

  test('the pips of wounds lie on an arc, below or above, remaining ones before lost ones', () => {
    const { left, lost } = pipArc(1, 3, 10, false);
    expect([left.match(/M/g)?.length, lost.match(/M/g)?.length]).toEqual([1, 2]);
    const middles = [...(left + lost).matchAll(/M(\S+) (\S+)a(\S+)/g)].map((one) => [Number(one[1]) + Number(one[3]), Number(one[2])]);
    for (const [x, y] of middles) expect(Math.hypot(x!, y!)).toBeCloseTo(9.7, 1);
    expect(middles.every(([, y]) => y! > 5)).toBe(true);
    expect(pipArc(2, 2, 10, true).left).toMatch(/ -/);
    expect(pipArc(2, 2, 10, true).lost).toBe('');
  });

  test('markers of a kind are numbered, unless there is only one', () => {
    const token = (kind: string) => ({ kind, text: kind, x: 0, y: 0 });
    expect(numbered(['objective', 'mine', 'objective'].map(token))).toEqual([1, null, 2]);
  });

  test('a marker tells its number once, and its value if it counts in the score', () => {
    const token = { kind: 'objective', text: 'objective', x: 0, y: 0 };
    expect(tokenTold(token, null)).toBe('objective');
    expect(tokenTold({ ...token, value: 3 }, 1)).toBe('objective, number 1');
    expect(tokenTold({ ...token, text: 'objective 1', number: 1 }, 1)).toBe('objective 1');
    expect(tokenTold({ ...token, text: 'objective 1', number: 1, value: 3 }, 1)).toBe('objective 1, value 3');
    expect(tokenTold({ ...token, text: 'objective 1', number: 1, value: 'x' }, 1)).toBe('objective 1');
  });

  test('from far away a unit is drawn as one: when its models would overlap', () => {
    const many = [0, 1, 2].map((row) => ({ ...model(row, row, 1), shape: { radius: 0.5 } }));
    expect(isFarAway(many, 1 / 12)).toBe(false);
    expect(isFarAway(many, 1 / 9)).toBe(true);
    expect(isFarAway([], 1)).toBe(false);
  });

  test('small words are left out of a sign, but not the first', () => {
    const named = (row: number, name: string) => ({ row, side: 0, name, models: [] });
    expect([...signs([named(0, 'Re dei canneti'), named(1, 'Guardia del molo')]).values()]).toEqual(['Rc', 'Gm']);
  });

  test('a long sentence is broken between words', () => {
    expect(broken('A model goes no farther than its move.', 20)).toEqual(['A model goes no', 'farther than its', 'move.']);
    expect(broken('Incomprehensibilities', 5)).toEqual(['Incomprehensibilities']);
  });

  test('a character is listed with the unit that he has joined', () => {
    const unit = (row: number, name: string, models: number[], side = 0) => ({ row, side, name, models });
    const all = [unit(0, 'Keepers', [0, 1]), unit(1, 'Captain', []), unit(2, 'Seer', []), unit(3, 'Captain', [], 1)];
    const models = [model(0, 1, 1), { ...model(1, 2, 1), name: 'Captain' }];
    expect(all.map((one) => partsOf(one, all, models))).toEqual([['Captain'], [], [], []]);
  });

  test('only models on the table are drawn', () => {
    expect(
      standing([model(0, 1, 1), { ...model(1, 1, 1), where: 'fallen' }, { ...model(2, 1, 1), shape: null }]),
    ).toHaveLength(1);
  });

  test('the details strewn on a piece lie inside it and are always the same', () => {
    const outline: XY[] = [
      [0, 0],
      [6, 0],
      [6, 6],
      [0, 6],
    ];
    const wood = { name: 'w', title: 'Wood', kind: 'woods', outline, z: 0, height: 5 };
    expect(likeness('woods')).toBe('trees');
    expect(likeness('zork')).toBe('plain');
    expect(['wooden-structure', 'stone-structure', 'bastion', 'ruin'].map(likeness)).toEqual(['hut', 'house', 'fort', 'ruin']);
    const first = strewn(wood, 36, 1).under;
    expect(strewn(wood, 36, 1).under).toBe(first);
    const crowns = [...first.matchAll(/M(\S+) (\S+?)a(\S+) /g)].map(([, x, y, r]): XY => [
      Number(x) + Number(r),
      36 - Number(y),
    ]);
    expect(crowns.length).toBeGreaterThan(5);
    expect(crowns.every(([x, y]) => contains(outline, x, y))).toBe(true);
  });

  test('lengths and models in words', () => {
    expect(length(5.25, 'inch', 'en')).toBe('5.3″');
    expect(length(5.25, 'cm', 'it', 2)).toBe('5,25 cm');
    const keeper = {
      ...model(3, 24.1, 13),
      wounds: [2, 3] as [number, number],
      marks: [
        { key: 'c', text: 'in cover' },
        { key: 'd', text: 'fear', value: 2 },
      ],
    };
    expect(told(keeper)).toBe('Keeper 3, 2 of 3 wounds left, at 24.1; 13.0, in cover, fear (2)');
    expect(told({ ...keeper, is_down: true, marks: [] })).toBe('Keeper 3, out of action, 2 of 3 wounds left, at 24.1; 13.0');
  });
});

describe('how much of a move is used', () => {
  test('shows the usual length and the cost of the turn if the book tells them', () => {
    const one = { ...moved(0, [5, 5], [8, 5]), facing: 350 };
    const stood = new Map<number, Stance>([[0, { x: 8, y: 5, facing: 350 }]]);
    const found = preview([model(0, 5, 5)], [one], stood, new Map(), limitsOf({ allowance: 9, usual: 6, turn: 45 }), TABLE);
    expect(found.usual).toBe(6);
    expect(found.turned).toEqual({ by: 10, most: 45 });
    expect(seen([model(0, 5, 5)], [moved(0, [5, 5], [8, 5])], { allowance: 9 }).turned).toBeNull();
  });
});

describe('a unit in the hand', () => {
  const all = (facing: number): Map<number, Stance> =>
    new Map([
      [0, { x: 4, y: 5, facing }],
      [1, { x: 6, y: 5, facing }],
    ]);

  test('turns about its middle as one body', () => {
    const found = swung(all(0), 90);
    expect([...found.values()]).toEqual([
      { x: 5, y: 6, facing: 90 },
      { x: 5, y: 4, facing: 90 },
    ]);
    expect(swung(found, -90)).toEqual(all(0));
  });
});

describe('a model that could not follow', () => {
  test('ends farther from its wanted place than the others do', () => {
    const all = [moved(0, [5, 5], [5, 8], [5, 12]), moved(1, [8, 5], [8, 8], [8, 9.5])];
    const wish: Wish[] = [[0, 5, 8, null], [0, 5, 12, null], [1, 8, 8, null], [1, 8, 12, null]];
    expect(lagging(wish, all)).toEqual([1]);
    expect(lagging(wish, [all[0]!, moved(1, [8, 5], [8, 8], [8, 12])])).toEqual([]);
  });

  test('is none if all were held back alike, or only one was wished for', () => {
    const all = [moved(0, [5, 5], [5, 8]), moved(1, [8, 5], [8, 8])];
    expect(lagging([[0, 5, 12, null], [1, 8, 12, null]], all)).toEqual([]);
    expect(lagging([[0, 5, 12, null]], all)).toEqual([]);
    expect(lagging([], all)).toEqual([]);
  });
});
