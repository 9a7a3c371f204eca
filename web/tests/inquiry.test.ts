import { describe, expect, it, vi } from 'vitest';
import { alike, asking, beside, bookOf, byHeading, byPart, comparable, inquire, kept, median, numbers, several, type Field } from '../src/lib/inquiry';

function field(name: string, part: string): Field {
  return { name, part, title: name, kind: 'choice', value: '', text: '', picks: [], rule: null, between: [0, 0], step: 1, unit: '', trouble: '' };
}

describe('a query', () => {
  it('has its book in the address', () => {
    expect(bookOf('?book=e55&attacker=a:b&weapons=rifle*2,gun')).toBe('e55');
    expect([bookOf(''), bookOf('?attacker=x')]).toEqual(['', '']);
  });

  it('is sent as a link, cut to the length that is read, or as the values filled in', async () => {
    const sent: Record<string, unknown>[] = [];
    vi.stubGlobal('fetch', (_: string, how: RequestInit) => {
      sent.push(JSON.parse(String(how.body)) as Record<string, unknown>);
      return Promise.resolve(new Response('{}', { headers: { 'Content-Type': 'application/json' } }));
    });
    await inquire('e55', asking({ link: 'x'.repeat(30_000), written: { distance: '7' } }));
    await inquire('e55', asking({ written: { distance: '7' }, compare: { target: ['a', 'b'], cover: ['none'] } }));
    vi.unstubAllGlobals();
    expect(sent).toEqual([
      { link: 'x'.repeat(8001) },
      { written: { distance: '7' }, compare: { target: ['a', 'b'] }, order: '' },
    ]);
  });

  it('keeps the values that the form still has', () => {
    expect(kept({ distance: '7', gone: 1 }, [field('distance', 'table')])).toEqual({ distance: '7' });
  });

  it('is shown part by part, the attack first', () => {
    const fields = [field('option-x', 'option'), field('target', 'target'), field('weapons', 'attack')];
    expect(byPart(fields).map(([part]) => part)).toEqual(['attack', 'target', 'option']);
  });

  it('lists picks under their headings', () => {
    const picks = [
      { value: 1, title: 'a', under: 'X' },
      { value: 2, title: 'b', under: '' },
      { value: 3, title: 'c', under: 'X' },
    ];
    expect(byHeading(picks).map(([heading, ones]) => [heading, ones.length])).toEqual([
      ['X', 2],
      ['', 1],
    ]);
  });

  it('compares numbers, states and choices, and nothing else', () => {
    const distance: Field = { ...field('distance', 'table'), kind: 'number', between: [1, 72] };
    const moved = { value: 'moved', title: 'moved', under: '' };
    const states: Field = { ...field('states', 'attacker'), kind: 'several', picks: [moved] };
    expect([distance, states, { ...field('weapons', 'attack'), kind: 'counted' as const }].map(comparable)).toEqual([true, true, false]);
    expect([{ ...distance, between: [3, 3] as [number, number] }, field('cover', 'table')].map(comparable)).toEqual([false, false]);
    expect(numbers(distance, '24, 6 12;6, x, 0, 73')).toEqual([6, 12, 24]);
    expect(beside(states, 'none').map((one) => [one.value, one.title])).toEqual([
      [[], 'none'],
      [['moved'], 'moved'],
    ]);
    expect([alike(['a'], ['a']), alike([], ['a'])]).toEqual([true, false]);
  });

  it('is compared once there are two values', () => {
    expect(several({ target: ['a'] })).toEqual({});
    expect(several({ target: ['a', 'b'], distance: [6, 12], cover: [] })).toEqual({ target: ['a', 'b'], distance: [6, 12] });
  });

  it('has a median not exceeded half of the time', () => {
    expect(median([[0, 0.5], [1, 0.5]])).toBe(0);
    expect(median([[0, 0.49], [1, 0.02], [2, 0.49]])).toBe(1);
    expect(median([])).toBe(0);
  });
});
