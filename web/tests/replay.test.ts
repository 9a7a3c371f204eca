import { describe, expect, test } from 'vitest';
import { ALL, chapters } from '../src/battle/journal';
import { Replayed } from '../src/battle/replay.svelte';
import type { Frame, ModelShown, Replay } from '../src/net/wire';

const model = (row: number, x: number): ModelShown => ({ row, side: row % 2, unit: row, name: `m${row}`, kind: 'k', where: 'table', x, y: 0 });
const standing = (title: string) => ({ title, side: 0, lines: [] });

const FRAMES: Frame[] = [
  { at: 1, models: [model(0, 1)], lines: [{ text: 'a', at: 1 }] },
  { at: 3, models: [model(1, 9)], lines: [{ text: 'b', at: 3 }], standing: standing('Turn 1') },
  { at: 4, lines: [{ text: 'ab', at: 4 }], cut: 1, tokens: [{ kind: 'mine', text: 'Mine', x: 1, y: 1 }] },
  { at: 6, models: [model(0, 2), model(1, 8)], units: [{ row: 0, side: 0, name: 'first, hurt', models: [0] }], standing: standing('Turn 2') },
  { at: 7, pieces: [], standing: standing('Turn 2') },
];

const BATTLE: Replay = {
  book: 'drill',
  title: 'Drill',
  side: null,
  table: { width: 48, depth: 48, unit: 'inch', grid: 6 },
  pieces: [{ name: 'hut', title: 'Hut', kind: 'hut', outline: [[0, 0], [1, 0], [1, 1]], z: 0, height: 2 }],
  models: [model(0, 0), model(1, 10)],
  units: [{ row: 0, side: 0, name: 'first', models: [0] }, { row: 1, side: 1, name: 'second', models: [1] }],
  tokens: [],
  standing: standing('Before'),
  lines: [{ text: 'begun', at: 0 }],
  frames: FRAMES,
  result: 'Orange wins.',
};

const fresh = () => new Replayed('abc', BATTLE);
const seen = (one: Replayed) => ({
  at: one.at,
  xs: one.models.map((each) => each.x),
  units: one.units.map((unit) => unit.name),
  tokens: one.tokens.length,
  pieces: one.pieces.length,
  standing: one.moment.standing?.title,
});

describe('a replay', () => {
  test('begins before the first answer', () => {
    expect(seen(fresh())).toEqual({ at: 0, xs: [0, 10], units: ['first', 'second'], tokens: 0, pieces: 1, standing: 'Before' });
  });

  test('ends as the battle ended', () => {
    const one = fresh();
    one.go(one.last);
    expect(seen(one)).toEqual({ at: 7, xs: [2, 8], units: ['first, hurt', 'second'], tokens: 1, pieces: 0, standing: 'Turn 2' });
  });

  test('shows the notes about the battle in the journal', () => {
    const noted = new Replayed('abc', { ...BATTLE, notes: [{ text: 'renewed', place: 3 }] });
    const [only] = chapters(noted.lines, ALL, noted.notes);
    expect(only?.lines.map(({ line, isNote }) => (isNote ? `*${line.text}` : line.text))).toEqual(['begun', '*renewed', 'ab']);
    expect(fresh().notes).toEqual([]);
  });

  test('looks the same backwards as forwards', () => {
    const one = fresh();
    const forth = [seen(one)];
    for (let n = 0; n < one.last; n++) {
      one.step(1);
      forth.push(seen(one));
    }
    const back = [seen(one)];
    for (let n = 0; n < one.last; n++) {
      one.step(-1);
      back.push(seen(one));
    }
    expect(back.reverse()).toEqual(forth);
  });

  test('jumps to any moment from any other as if it had gone frame by frame', () => {
    for (let from = 0; from <= FRAMES.length; from++)
      for (let to = 0; to <= FRAMES.length; to++) {
        const [jumped, walked] = [fresh(), fresh()];
        jumped.go(from);
        jumped.go(to);
        for (let n = 0; n < to; n++) walked.step(1);
        expect(seen(jumped)).toEqual(seen(walked));
      }
  });

  test('goes no further than either end', () => {
    const one = fresh();
    one.step(-1);
    expect(one.place).toBe(0);
    one.go(99);
    expect(one.place).toBe(5);
  });

  test('finds the moment after so many answers, or the first one after it', () => {
    const one = fresh();
    const at = (answers: number) => {
      one.goAt(answers);
      return one.at;
    };
    expect([0, 1, 2, 3, 5, 7, 100].map(at)).toEqual([0, 1, 3, 3, 6, 7, 7]);
  });

  test('goes by phases, both ways', () => {
    const one = fresh();
    const places: number[] = [];
    for (const by of [1, 1, 1, -1, -1, -1, -1] as const) {
      one.phase(by);
      places.push(one.place);
    }
    expect(places).toEqual([2, 4, 5, 4, 2, 0, 0]);
    expect(one.part?.title).toBe('Before');
  });

  test('going back within a phase goes to its beginning first', () => {
    const one = fresh();
    one.go(3);
    one.phase(-1);
    expect([one.place, one.part?.title]).toEqual([2, 'Turn 1']);
  });

  test('knows the whole journal, including rewritten lines', () => {
    expect(fresh().lines.map((line) => line.text)).toEqual(['begun', 'ab']);
  });

  test('asks nothing and nobody', async () => {
    const one = fresh();
    expect(one.sheet).toBeNull();
    expect(await one.ask({ do: 'look', model: 0 })).toBeNull();
  });
});
