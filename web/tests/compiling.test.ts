import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { compiling, watch } from '../src/net/compiling.svelte';

const says = (...several: unknown[]) => {
  const asked = vi.fn(() => {
    const body = several.length > 1 ? several.shift() : several[0];
    return Promise.resolve({ ok: true, status: 200, json: () => Promise.resolve(body), text: () => Promise.resolve(JSON.stringify(body)) });
  });
  vi.stubGlobal('fetch', asked);
  return asked;
};
const pause = vi.fn(() => Promise.resolve());

beforeEach(() => {
  Object.assign(compiling, { done: 0, of: 0 });
  pause.mockClear();
});
afterEach(() => vi.unstubAllGlobals());

test('a server that has compiled everything is asked once', async () => {
  const asked = says({ done: 34, of: 34 });
  await watch(pause);
  expect(asked).toHaveBeenCalledTimes(1);
  expect(pause).not.toHaveBeenCalled();
  expect(compiling.done < compiling.of).toBe(false);
});

test('a server that is still compiling is asked until it has finished', async () => {
  const asked = says({ done: 3, of: 34 }, { done: 20, of: 34 }, { done: 34, of: 34 });
  const seen: number[] = [];
  await watch(() => {
    seen.push(compiling.done);
    return Promise.resolve();
  });
  expect(asked).toHaveBeenCalledTimes(3);
  expect(seen).toEqual([3, 20]);
  expect(compiling).toEqual({ done: 34, of: 34 });
});

test('without an answer nothing is shown', async () => {
  vi.stubGlobal('fetch', vi.fn(() => Promise.reject(new Error('down'))));
  await watch(pause);
  expect(compiling).toEqual({ done: 0, of: 0 });
});
