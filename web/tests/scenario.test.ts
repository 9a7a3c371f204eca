import { describe, expect, test } from 'vitest';
import { begunIn, emptyFile, freePlace, freshName, moved, placeOf, profileOf, setDown, without, type Kit } from '../src/lib/scenario';

const guard = { name: 'list/guard', title: 'guard', shape: { radius: 0.5 }, likeness: 'rifle' };
const tank = { name: 'tank', title: 'Tank', shape: { half: [1.5, 3] as [number, number] }, likeness: 'tank' };
const kit: Kit = {
  book: 'drill',
  title: 'Drill',
  table: { width: 48, depth: 36, unit: 'inch', grid: 6 },
  alone: false,
  profiles: [guard, tank],
  moments: [{ name: 'moves', title: 'Moves', now: { phase: 'moves' } }],
  tables: [],
};
const file = emptyFile(kit, 'A test');

describe('a scenario file being laid', () => {
  test('begins in the first phase, and takes units about a point, each with its own name', () => {
    const one = setDown(file, kit, { profile: guard, side: 2, count: 3 }, [20, 10]);
    const two = setDown(one, kit, { profile: guard, side: 1, count: 1 }, [20, 30]);
    expect(two.now).toEqual({ phase: 'moves' });
    expect(two.models.map((each) => each.id)).toEqual(['Guard-1', 'Guard-2', 'Guard-3', 'Guard 2']);
    expect(two.models.map((each) => each.unit)).toEqual(['Guard', 'Guard', 'Guard', undefined]);
    expect(two.models.map((each) => each.facing)).toEqual([180, 180, 180, 0]);
    const [xs, ys] = [0, 1].map((k) => one.models.map((each) => each.at![k]!));
    expect(xs!.reduce((sum, x) => sum + x) / 3).toBeCloseTo(20, 1);
    expect(new Set(ys).size).toBeLessThanOrEqual(2);
  });

  test('has a unit for every model if the book works that way', () => {
    const found = setDown(file, { ...kit, alone: true }, { profile: guard, side: 1, count: 2 }, [20, 10]);
    expect(found.models.map(({ id, unit }) => [id, unit])).toEqual([['Guard', undefined], ['Guard 2', undefined]]);
  });

  test('keeps what it does not know, and forgets the entries of removed units', () => {
    const laid = { ...setDown(file, kit, { profile: guard, side: 1, count: 2 }, [20, 10]), units: { Guard: { marks: {} }, Others: {} } };
    const marked = { ...laid, models: laid.models.map((one) => ({ ...one, marks: { wounds: 1 } })) };
    const gone = moved(marked, new Map([[1, { x: 1.2345, y: 2, facing: 90 }]]));
    expect(gone.models[1]).toMatchObject({ at: [1.23, 2], facing: 90, marks: { wounds: 1 } });
    expect(gone.models[0]).toEqual(marked.models[0]);
    expect(without(laid, [0]).units).toEqual({ Guard: { marks: {} } });
    expect(without(laid, [0, 1])).toMatchObject({ models: [], units: {} });
  });

  test('names begin with a capital letter, and profiles are known with or without their list', () => {
    expect(freshName(file, '42nd')).toBe('M 42nd');
    expect(profileOf({ id: 'A', profile: { profile: 'guard' } }, kit)).toBe(guard);
    expect(profileOf({ id: 'A', profile: 'list/guard' }, kit)).toBe(guard);
    expect(profileOf({ id: 'A', profile: 'nobody' }, kit)).toBeUndefined();
    expect(placeOf({ id: 'A', profile: 'x', side: 2, at: [3, 4, 5] })).toEqual({ x: 3, y: 4, facing: 180 });
  });

  test('a free place is on the table, and apart from all models there', () => {
    let now = file;
    for (let k = 0; k < 5; k++) {
      const wanted = { profile: tank, side: 2, count: 2 };
      now = setDown(now, kit, wanted, freePlace(now, kit, kit.table, wanted));
    }
    const places = now.models.map(placeOf);
    places.forEach((one, k) => {
      expect(one.y).toBeGreaterThan(18);
      expect(one.y).toBeLessThan(36);
      for (const other of places.slice(k + 1)) expect(Math.hypot(one.x - other.x, one.y - other.y)).toBeGreaterThan(6);
    });
  });

  test('a whole position keeps its rows: a removed model is gone, and its passengers with it', () => {
    const models = [
      { id: 'Wagon', profile: 'tank', at: [3, 4] },
      { id: 'Rider', profile: 'guard', where: 'aboard Wagon' },
      { id: 'Guard', profile: 'guard', at: [9, 4], unit: 'Guards' },
    ];
    const whole = { ...file, whole: true, now: { phase: 'fights', turn: 3 }, models, units: { Guards: { side: 1 } } };
    const left = without(whole, [0]);
    expect(left.models.map((one) => one.where)).toEqual(['gone', 'gone', undefined]);
    expect(left.models.map((one) => one.id)).toEqual(['Wagon', 'Rider', 'Guard']);
    expect(left.units).toEqual(whole.units);
    expect(begunIn(whole, { phase: 'moves' }).now).toEqual({ phase: 'moves', turn: 3 });
    expect(begunIn({ ...whole, whole: undefined }, { phase: 'moves' }).now).toEqual({ phase: 'moves' });
  });
});
