import { expect, test } from 'vitest';
import { shareSeen } from '../src/marks/seen';
import type { Sighting } from '../src/net/wire';

const ray = (z: number, is_clear: boolean) => ({ start: [0, 0, 2], end: [9, 0, z], is_clear, stops: null });
const sighting = {
  model: 3,
  sees: 'partly',
  text: '',
  distance: 9,
  rays: [ray(0.3, false), ray(0.3, false), ray(0.9, true), ray(0.9, false), ray(1.5, true)],
} as unknown as Sighting;

test('a part is seen by the share of free rays that end in it', () => {
  expect(shareSeen(sighting, 0, 0.6)).toBe(0);
  expect(shareSeen(sighting, 0.6, 1.2)).toBe(0.5);
  expect(shareSeen(sighting, 1.2, 1.8)).toBe(1);
});

test('a part without rays gives no share', () => {
  expect(shareSeen(sighting, 1.9, 2.5)).toBe(null);
  expect(shareSeen({ ...sighting, rays: [] }, 0, 9)).toBe(null);
});
