import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { api, ApiError, call } from '../src/net/api';
import { readJson } from '../src/net/files';
import { tongue } from '../src/lib/words.svelte';

const told = (status: number, body: string) => Promise.resolve(new Response(body, { status }));
const fetched = vi.fn<typeof fetch>();

beforeEach(() => {
  fetched.mockReset();
  vi.stubGlobal('fetch', fetched);
  return tongue.choose('en');
});
afterEach(() => vi.unstubAllGlobals());

async function failed(): Promise<ApiError> {
  const error = await call('/api/books').catch((caught: unknown) => caught);
  expect(error).toBeInstanceOf(ApiError);
  return error as ApiError;
}

describe('call', () => {
  test('asks in the language of the page', async () => {
    fetched.mockReturnValue(told(200, '[]'));
    await tongue.choose('it');
    expect(await api.books()).toEqual([]);
    expect(fetched.mock.calls[0]?.[1]).toMatchObject({ method: 'GET', headers: { 'Accept-Language': 'it' } });
  });

  test('sends the seat’s token, and its body as JSON', async () => {
    fetched.mockReturnValue(told(200, '{}'));
    await api.branch('abc', 12, 1, 'greedy', 'secret');
    const [path, sent] = fetched.mock.calls[0]!;
    expect(path).toBe('/api/battles/abc/branch');
    expect(sent?.headers).toMatchObject({ Authorization: 'Bearer secret', 'Content-Type': 'application/json' });
    expect(JSON.parse(String(sent?.body))).toEqual({ at: 12, side: 1, against: 'greedy' });
  });

  test('names in an address are escaped so that they stay names', async () => {
    fetched.mockReturnValue(told(200, '{}'));
    await api.rule('a book', 'fire/half range?');
    expect(fetched.mock.calls[0]?.[0]).toBe('/api/books/a%20book/rules/fire/half%20range%3F');
  });

  test('an empty reply counts as done and gives nothing', async () => {
    fetched.mockReturnValue(Promise.resolve(new Response(null, { status: 204 })));
    expect(await call('/api/club/leave', { body: {} })).toBeUndefined();
  });

  test('the server’s error is passed on', async () => {
    fetched.mockReturnValue(told(422, '{"word": "bad-force", "text": "No.", "reasons": ["too dear", "too few"]}'));
    const error = await failed();
    expect([error.word, error.message, error.status, error.reasons]).toEqual(['bad-force', 'No.', 422, ['too dear', 'too few']]);
  });

  test.each([
    [500, '<html>', 'error.server'],
    [502, '', 'error.server'],
    [404, 'not found', 'error.unknown'],
    [400, '{}', 'error.unknown'],
  ])('%i without a word of the server has one of the page', async (status, body, word) => {
    fetched.mockReturnValue(told(status, body));
    expect((await failed()).word).toBe(word);
  });

  test('a server that cannot be reached is reported as such', async () => {
    fetched.mockRejectedValue(new TypeError('Failed to fetch'));
    const error = await failed();
    expect([error.word, error.status]).toEqual(['error.offline', 0]);
  });
});

describe('a file', () => {
  const file = (text: string, size = text.length) => ({ size, text: () => Promise.resolve(text) });
  const word = (error: unknown) => (error as ApiError).word;

  test('is read as JSON', async () => expect(await readJson(file('{"a": 1}'))).toEqual({ a: 1 }));

  test.each(['', '[1]', 'null', '"text"', '{'])('%s is no saved game', async (text) => {
    expect(word(await readJson(file(text)).catch((caught: unknown) => caught))).toBe('error.file');
  });

  test('that is too large is not even read', async () => {
    expect(word(await readJson(file('{}', 30_000_000)).catch((caught: unknown) => caught))).toBe('error.large');
  });
});
