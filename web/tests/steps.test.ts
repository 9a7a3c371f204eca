import { describe, expect, test } from 'vitest';
import { after, frames, isLast, lengthOf, LENGTHS, sorted, stepsOf, thrust, turning } from '../src/motion/steps';
import type { ModelShown, MotionShown } from '../src/net/wire';

const model = (row: number, x: number, y = 0, where = 'table'): ModelShown => ({
  row, side: row < 5 ? 0 : 1, unit: row < 5 ? 0 : 1, name: `m${row}`, kind: 'k', where, x, y, shape: { radius: 0.5 },
});
const MODELS = [model(0, 0), model(1, 2), model(2, 4), model(3, 6), model(4, 8), model(5, 0, 20), model(6, 3, 20)];
const move = (row: number, ...way: [number, number][]): MotionShown => ({ kind: 'move', by: [row], way });
const dice = (counts: string, faces: number[], met: boolean[]): MotionShown => ({
  kind: 'dice', counts, dice: { why: 'To hit', sides: 6, faces, met, need: '4+' },
});

describe('events in steps', () => {
  test('a unit moves together, and a second move by one of its models comes after', () => {
    const steps = stepsOf([move(0, [0, 0], [0, 5]), move(1, [2, 0], [2, 5]), move(0, [0, 5], [1, 5])], MODELS);
    expect(steps.map((one) => one.rows)).toEqual([[0, 1], [0]]);
    expect([isLast(steps, 0), isLast(steps, 1)]).toEqual([false, true]);
  });

  test('a charging model does not join those that walk', () => {
    const steps = stepsOf([move(0, [0, 0], [0, 5]), { ...move(1, [2, 0], [2, 9]), how: 'charge' }], MODELS);
    expect(steps.map((one) => [one.how, one.rows])).toEqual([['', [0]], ['charge', [1]]]);
  });

  test('a shot comes before its dice, and goes to the nearest target, from where the shooter then stands', () => {
    const shot: MotionShown = { ...dice('hits', [6, 1], [true, false]), kind: 'shot', by: [0], at: [5, 6] };
    const [moved, act, thrown] = stepsOf([move(0, [0, 0], [3, 2]), shot], MODELS);
    expect(moved?.kind).toBe('move');
    expect(act?.acts).toEqual([{ kind: 'shot', side: 0, from: [3, 2], to: [3, 20], row: 0 }]);
    expect(thrown?.thrown?.counts).toBe('hits');
  });

  test('models in touch strike, whatever the act is called', () => {
    const close = [...MODELS.slice(0, 5), model(5, 0, 1)];
    expect(stepsOf([{ kind: 'shot', by: [0], at: [5] }], close)[0]?.acts[0]?.kind).toBe('blow');
    expect(stepsOf([{ kind: 'shot', by: [0], at: [6] }], MODELS)[0]?.acts[0]?.kind).toBe('shot');
  });

  test('a model out of sight is not shot at, but a place may be', () => {
    const gone = MODELS.map((one) => (one.row === 5 ? { ...one, where: 'fallen' } : one));
    expect(stepsOf([{ kind: 'shot', by: [0], at: [5] }], gone)).toEqual([]);
    expect(stepsOf([{ kind: 'shot', by: [0], at: [5], spot: [9, 9] }], gone)[0]?.acts[0]?.to).toEqual([9, 9]);
  });

  test('casualties fall together; the others stay as they were until everything has played', () => {
    const final = MODELS.map((one) => (one.row > 4 ? { ...one, where: 'fallen' } : { ...one, wounds: [1, 2] as [number, number] }));
    const [fall] = stepsOf([{ kind: 'loss', by: [5] }, { kind: 'loss', by: [6] }], MODELS);
    expect(fall?.rows).toEqual([5, 6]);
    const shown = after(MODELS, fall!, true, final);
    expect(shown.map((one) => one.where)).toEqual(['table', 'table', 'table', 'table', 'table', 'fallen', 'fallen']);
    expect(shown[0]?.wounds).toBeUndefined();
  });

  test('on the first of two ways a model ends where that way ends', () => {
    const final = MODELS.map((one) => (one.row ? one : { ...one, x: 1, y: 5 }));
    const steps = stepsOf([move(0, [0, 0], [0, 5]), move(0, [0, 5], [1, 5])], MODELS);
    expect(after(MODELS, steps[0]!, false, final)[0]).toMatchObject({ x: 0, y: 5 });
    expect(after(MODELS, steps[1]!, true, final)[0]).toMatchObject({ x: 1, y: 5 });
  });
});

describe('on the way', () => {
  test('the corners are passed when their share of the way is done', () => {
    const way = frames({ x: 0, y: 0, facing: 0 }, [[0, 0], [0, 3], [1, 3]], { x: 1, y: 3, facing: 0 }, 10);
    expect(way.map((one) => one.transform)).toEqual(['translate(0px, 10px)', 'translate(0px, 7px)', 'translate(1px, 7px)']);
    expect(way.map((one) => one.offset)).toEqual([0, 0.75, 1]);
  });

  test('a way without corners is straight, and one round them takes longer', () => {
    expect(frames({ x: 0, y: 0, facing: 0 }, [], { x: 4, y: 0, facing: 0 }, 10)).toHaveLength(2);
    const [straight, round] = [stepsOf([move(0, [0, 0], [0, 9])], MODELS), stepsOf([move(0, [0, 0], [0, 3], [1, 3])], MODELS)];
    expect(lengthOf(straight[0]!)).toBe(LENGTHS.move);
    expect(lengthOf(round[0]!)).toBeGreaterThan(LENGTHS.move);
  });

  test('a model turns the shorter way round', () => {
    expect(turning(350, 10).map((one) => one.transform)).toEqual(['rotate(-10deg)', 'rotate(10deg)']);
    expect(turning(90, 0).map((one) => one.transform)).toEqual(['rotate(90deg)', 'rotate(0deg)']);
  });

  test('a thrust goes no farther than half the way, and back', () => {
    const act = { kind: 'charge', side: 0, row: 0, from: [0, 0] as [number, number], to: [0, 2] as [number, number] };
    expect(thrust(act, 10, 5).map((one) => one.transform)).toEqual(['translate(0px, 10px)', 'translate(0px, 9px)', 'translate(0px, 10px)']);
  });
});

test('dice lie with the successes first, the highest first', () => {
  const found = sorted({ why: '', sides: 6, faces: [2, 6, 1, 4], met: [false, true, false, true] });
  expect(found.map((one) => one.face)).toEqual([6, 4, 2, 1]);
  expect(sorted({ why: '', sides: 6, faces: [2, 6], met: [true], total: 8 }).map((one) => one.isMet)).toEqual([null, null]);
});
