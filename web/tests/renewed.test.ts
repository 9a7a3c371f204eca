import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { entryOf, look, renewed } from '../src/net/renewed.svelte';

const answers = (body: string, ok = true) =>
  vi.stubGlobal('fetch', vi.fn(() => Promise.resolve({ ok, text: () => Promise.resolve(body) })));
const page = (entry: string) => `<script type="module" src="${entry}"></script>`;

beforeEach(() => {
  renewed.is = false;
});
afterEach(() => vi.unstubAllGlobals());

test('the same page is no newer page', async () => {
  answers(page('/assets/index-a.js'));
  await look('/assets/index-a.js');
  expect(renewed.is).toBe(false);
});

test('another first script means a newer page, and the server is asked once', async () => {
  answers(page('/assets/index-ab.js'));
  await look('/assets/index-a.js');
  expect(renewed.is).toBe(true);
  await look('/assets/index-a.js');
  expect(fetch).toHaveBeenCalledTimes(1);
});

test('a server that is away, or has no page, proves nothing', async () => {
  answers('nothing here', false);
  await look('/assets/index-a.js');
  vi.stubGlobal('fetch', vi.fn(() => Promise.reject(new Error('down'))));
  await look('/assets/index-a.js');
  expect(renewed.is).toBe(false);
});

test('the first script is named by the document', async () => {
  const document = { querySelector: () => ({ getAttribute: () => '/assets/index-a.js' }) };
  expect(entryOf(document)).toBe('/assets/index-a.js');
  expect(entryOf({ querySelector: () => null })).toBe('');
});
