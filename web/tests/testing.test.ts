import { beforeEach, describe, expect, test, vi } from 'vitest';
import { broughtFrom, TestTable } from '../src/lib/testing.svelte';
import type { Kit, ScenarioFile } from '../src/lib/scenario';

const table = { width: 48, depth: 36, unit: 'inch', grid: 6 };
const listed = { name: 'guard', title: 'Guard', shape: { radius: 0.5 }, likeness: 'rifle' };
const own = { name: 'Tall guard', title: 'Tall guard', shape: { radius: 0.8 }, likeness: 'hero' };
const kit: Kit = { book: 'drill', title: 'Drill', table, alone: false, profiles: [listed], moments: [], tables: [] };
const scenario: ScenarioFile = {
  campale: 'scenario/1',
  ruleset: 'drill',
  title: 'Turn 2',
  whole: true,
  models: [{ id: 'Anna', profile: 'Tall guard', at: [9, 4, 0] }],
};
const laid = { scenario, text: '', table, pieces: [], asks: true, left_out: false, profiles: [own], since: 2 };
const asked: string[] = [];

beforeEach(() => {
  localStorage.clear();
  asked.length = 0;
  vi.stubGlobal('fetch', (path: string) => {
    asked.push(path);
    return Promise.resolve(new Response(JSON.stringify(laid)));
  });
});

describe('a moment of a battle on the test table', () => {
  test('lies there with its own profiles, and knows where it is from', async () => {
    expect(await broughtFrom('abc', 17, 'token', true)).toBe('drill');
    expect(asked).toEqual(['/api/battles/abc/scenario?at=17&public=true']);
    const found = new TestTable(kit, 'A test');
    expect(found.models[0]).toMatchObject({ name: 'Anna', shape: { radius: 0.8 }, likeness: 'hero', x: 9, y: 4 });
    expect(found.kit.profiles.map((one) => one.name)).toEqual(['guard', 'Tall guard']);
    expect(found.from).toEqual({ battle: 'abc', at: 17, since: 2 });
    found.close();
  });

  test('keeps the former position for undo', async () => {
    const before = new TestTable(kit, 'A test');
    before.setDown({ profile: listed, side: 1, count: 2 }, [20, 10]);
    before.close();
    await broughtFrom('abc', null, 'token', false);
    expect(asked.at(-1)).toBe('/api/battles/abc/scenario');
    const found = new TestTable(kit, 'A test');
    expect(found.models.map((one) => one.name)).toEqual(['Anna']);
    found.undo();
    expect(found.models.map((one) => one.name)).toEqual(['Guard-1', 'Guard-2']);
    expect([found.from, found.kit.profiles.length]).toEqual([undefined, 1]);
    found.close();
    const later = new TestTable(kit, 'A test');
    expect(later.canUndo).toBe(false);
    later.close();
  });

  test('is a table like any other once its models are cleared away', async () => {
    await broughtFrom('abc', 3, '', true);
    const found = new TestTable(kit, 'A test');
    found.clear();
    expect([found.from, found.models, found.file.whole]).toEqual([undefined, [], undefined]);
    found.close();
  });
});
