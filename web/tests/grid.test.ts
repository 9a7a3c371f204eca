import { describe, expect, test } from 'vitest';
import { gridOf, shortened, sweep } from '../src/answers/grid';
import type { Step } from '../src/answers/path';
import type { Option, Sheet } from '../src/net/wire';

const ORDERS = ['fire', 'ready', 'halt'];

function field(title: string, answer: string, more: Partial<Sheet> = {}, keys: string[] = ORDERS): Step {
  const options = keys.map((key): Option => ({ key, text: key.toUpperCase() }));
  const sheet: Sheet = { kind: 'choose', prompt: 'order', side: 0, title, options, ...more };
  return { sheet, answer, text: answer, isForced: false };
}

describe('a grid of choices', () => {
  const steps = [
    field('Order of Levy 1', 'fire', { under: 'Group 1', models: [1, 2] }),
    field('Order of Captain', 'halt'),
    field('Order of Levy 2', 'ready', { under: 'Group 1' }),
  ];

  test('has a row for each field, under its heading, and a column for each option', () => {
    const grid = gridOf(steps);
    expect(grid?.columns.map((one) => one.text)).toEqual(['FIRE', 'READY', 'HALT']);
    expect(grid?.parts.map((part) => [part.heading, part.rows.map((row) => row.place)])).toEqual([
      ['Group 1', [0, 2]],
      ['', [1]],
    ]);
    expect(grid?.parts[0]?.rows[0]).toEqual({ place: 0, name: 'Levy 1', title: 'Order of Levy 1', models: [1, 2], at: 0, weighed: null });
  });

  test('is none if the fields differ, or say too much', () => {
    const weighed = gridOf(steps.map((one) => ({ ...one, sheet: { ...one.sheet, weighed: true } })));
    expect(weighed?.parts[0]?.rows[1]?.weighed?.title).toBe('Order of Levy 2');
    expect(gridOf(steps.slice(0, 1))).toBeNull();
    expect(gridOf([...steps, field('Order of Tank', 'fire', {}, ['fire', 'halt', 'ready'])])).toBeNull();
    expect(gridOf([...steps, field('Order of Tank', 'fire', {}, ['fire', 'ready'])])).toBeNull();
    expect(gridOf([...steps, { ...steps[0]!, isForced: true }])).toBeNull();
    expect(gridOf(steps.map((one) => field(one.sheet.title, 'yes', {}, ['yes', 'no'])))).toBeNull();
    const aimed = field('Order of Tank', 'fire');
    aimed.sheet.options![0]!.targets = [3];
    expect(gridOf([...steps, aimed])).toBeNull();
    expect(gridOf(steps.map((one) => field(one.sheet.title, 'a', {}, ['a', 'b', 'an option of 19 let'])))).toBeNull();
    expect(gridOf(steps.map((one) => field(one.sheet.title, 'a', {}, ['a', 'b', 'one of 18 letters.'])))).not.toBeNull();
  });

  test('removes the words that all titles begin with, whole words only', () => {
    expect(shortened(['Order of Levy 1', 'Order of Levy 2'])).toEqual(['1', '2']);
    expect(shortened(['Order of Levy', 'Order of Lancer'])).toEqual(['Levy', 'Lancer']);
    expect(shortened(['Levy', 'Tank'])).toEqual(['Levy', 'Tank']);
    expect(shortened(['Order of Levy'])).toEqual(['Order of Levy']);
  });

  test('a sweep sets the rows that differ, except those set by hand', () => {
    const rows = gridOf(steps)!.parts.flatMap((part) => part.rows);
    expect(sweep(rows, 2)).toEqual([0, 2]);
    expect(sweep(rows, 2, new Set([0]))).toEqual([2]);
  });
});
