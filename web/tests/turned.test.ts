import { describe, expect, test } from 'vitest';
import { ended, happened } from '../src/battle/turned';
import { stood } from '../src/battle/turned.svelte';
import type { Line, ModelShown, PlaceShown, StandingShown, UnitShown } from '../src/net/wire';

const model = (row: number, unit: number, where = 'table', left = 1): ModelShown => ({
  row,
  unit,
  side: unit,
  name: `M${row}`,
  kind: 'm',
  where,
  wounds: [left, 2],
});
const UNITS: UnitShown[] = [
  { row: 0, side: 0, name: 'Gull-eyes', models: [0, 1, 2] },
  { row: 1, side: 1, name: 'Raiders', models: [3] },
];
const standing = (side: number, score: [number, number], places: PlaceShown[] = []): StandingShown => ({
  title: '',
  side,
  lines: [],
  length: 'Turn 2 of 6',
  turn: 2,
  score,
  places,
});
const LINES: Line[] = [
  { text: 'Turn of Red', level: 1 },
  { text: 'Red moves', models: [0] },
  { text: 'Turn of Blue', level: 1 },
  { text: 'Blue shoots at M1', models: [3, 1] },
  { text: 'M1 falls', models: [1] },
  { text: 'Turn of Red', level: 1 },
];

function turn(models: ModelShown[], after: StandingShown) {
  const before = stood({
    models: [model(0, 0), model(1, 0), model(2, 0), model(3, 1, 'table', 2)],
    units: UNITS,
    lines: LINES.slice(0, 2),
    moment: { standing: standing(1, [5, 1], [{ text: 'Objective 1: Red', side: 0 }]) },
  })!;
  return happened(before, { models, units: UNITS, lines: LINES, moment: { standing: after } }, 0);
}

describe('a turn', () => {
  test('belongs to a side, and has no card before the first', () => {
    expect(stood({ models: [], units: [], lines: [], moment: { standing: { title: 'Deployment', side: null, lines: [] } } })).toBe(null);
    expect(stood({ models: [], units: [], lines: LINES, moment: { standing: standing(1, [0, 0]) } })).toMatchObject({ side: 1, count: 6 });
  });

  test('is the same turn in another language', () => {
    const told = (turn: number, length: string) =>
      stood({ models: [], units: [], lines: LINES, moment: { standing: { ...standing(1, [0, 0]), length, turn } } })?.turn;
    expect(told(2, 'Turno 2 di 6')).toBe(told(2, 'Turn 2 of 6'));
    expect(told(3, 'Secondo turno')).not.toBe(told(2, 'Secondo turno'));
  });

  test('shows the losses with their lines, the places that changed hands and the score', () => {
    const models = [model(0, 0), model(1, 0, 'fallen', 0), model(2, 0), model(3, 1, 'table', 1)];
    const told = turn(models, standing(0, [5, 3], [{ text: 'Objective 1: Blue', side: 1 }]));
    expect(told.side).toBe(1);
    expect(told.changes.map((one) => [one.kind, one.side, one.line])).toEqual([
      ['lost.some', 0, 4],
      ['wounds', 1, 3],
      ['place', 1, 4],
      ['score', null, 4],
    ]);
    expect(told.changes[0]!.values).toEqual({ unit: 'Gull-eyes', count: 1, left: 2 });
    expect(told.changes[3]!.values).toEqual({ score: '5–3', was: '5–1' });
  });

  test('says that a unit is wiped out', () => {
    const models = [model(0, 0), model(1, 0), model(2, 0), model(3, 1, 'gone', 0)];
    expect(turn(models, standing(0, [5, 1])).changes[0]).toMatchObject({ kind: 'lost', side: 1, values: { unit: 'Raiders' } });
  });

  test('says that models out of action are out, and not that they are wounded', () => {
    const down = { ...model(3, 1, 'table', 0), is_down: true };
    const told = turn([model(0, 0), { ...model(1, 0, 'table', 0), is_down: true }, model(2, 0), down], standing(0, [5, 1]));
    expect(told.changes.map((one) => [one.kind, one.values])).toEqual([
      ['lost.some', { unit: 'Gull-eyes', count: 1, left: 2 }],
      ['down', { unit: 'Raiders' }],
      ['score', { score: '5–1', was: '5–1' }],
    ]);
  });

  test('without losses says so, with the score', () => {
    const models = [model(0, 0), model(1, 0), model(2, 0), model(3, 1, 'table', 2)];
    const places = [{ text: 'Objective 1: Red', side: 0 }];
    expect(turn(models, standing(0, [5, 1], places)).changes.map((one) => one.kind)).toEqual(['nothing', 'score']);
  });

  test('is told in the present language, as it was when it ended', () => {
    const then = { models: [model(0, 0), model(1, 0, 'fallen', 0)], units: UNITS, lines: LINES };
    const places = [
      { text: 'Objective 1: Blue', side: 1 },
      { text: 'Objective 2: Blue', side: 1 },
    ];
    const now = {
      models: [model(0, 0, 'fallen', 0), model(1, 0, 'fallen', 0)],
      units: [{ ...UNITS[0]!, name: 'Occhi di gabbiano' }],
      lines: [...LINES, { text: 'Rosso muove', models: [1] }].map((line) => ({ ...line, text: `it ${line.text}` })),
      moment: {
        standing: standing(0, [9, 9], [
          { text: 'Obiettivo 1: Blu', side: 1 },
          { text: 'Obiettivo 2: Rosso', side: 0 },
        ]),
      },
    };
    const shown = ended({ ...then, moment: { standing: standing(0, [5, 3], places) } }, now);
    expect(shown.moment.standing?.places?.map((one) => one.text)).toEqual(['Obiettivo 1: Blu', 'Objective 2: Blue']);
    expect(shown.moment.standing?.score).toEqual([5, 3]);
    const before = stood({
      models: [model(0, 0), model(1, 0)],
      units: UNITS,
      lines: LINES.slice(0, 2),
      moment: { standing: standing(1, [5, 1]) },
    })!;
    const told = happened(before, shown, 0);
    expect(told.title).toBe('it Turn of Blue');
    expect(told.changes[0]).toMatchObject({ kind: 'lost.some', line: 4, values: { unit: 'Occhi di gabbiano', count: 1, left: 1 } });
  });
});
