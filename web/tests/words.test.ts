import { beforeEach, expect, test } from 'vitest';
import { ACTIONS } from '../src/lib/keys';
import { say, tongue } from '../src/lib/words.svelte';
import clubEn from '../src/club/words/en.json';
import clubIt from '../src/club/words/it.json';
import trialsEn from '../src/trials/words/en.json';
import trialsIt from '../src/trials/words/it.json';
import inquiryEn from '../src/inquiry/words/en.json';
import inquiryIt from '../src/inquiry/words/it.json';
import listEn from '../src/list/words/en.json';
import listIt from '../src/list/words/it.json';
import settingsEn from '../src/settings/words/en.json';
import settingsIt from '../src/settings/words/it.json';
import laboratoryEn from '../src/laboratory/words/en.json';
import laboratoryIt from '../src/laboratory/words/it.json';
import testEn from '../src/test/words/en.json';
import testIt from '../src/test/words/it.json';
import commonEn from '../src/words/en.json';
import commonIt from '../src/words/it.json';

const en = { ...commonEn, ...clubEn, ...inquiryEn, ...listEn, ...settingsEn, ...laboratoryEn, ...testEn, ...trialsEn };
const it = { ...commonIt, ...clubIt, ...inquiryIt, ...listIt, ...settingsIt, ...laboratoryIt, ...testIt, ...trialsIt };

const SOURCES = import.meta.glob<string>('../src/**/*.{svelte,ts}', { query: '?raw', import: 'default', eager: true });
const PLACE = /\{(\w+)(?:\|[^|{}]*\|[^|{}]*)?\}/g;
const placeholders = (text: string) => [...new Set([...text.matchAll(PLACE)].map((found) => found[1]))].sort();

/** The keys written in the sources, and the beginnings of those that are put together there. */
function named(): { whole: Set<string>; begun: Set<string> } {
  const whole = new Set<string>();
  const begun = new Set<string>();
  for (const text of Object.values(SOURCES)) {
    for (const call of text.matchAll(/\bsay\(([^)]*)/g))
      for (const [, key] of call[1]!.matchAll(/'([a-z][\w-]*(?:\.[\w-]+)+)'/g)) whole.add(key!);
    for (const [, start] of text.matchAll(/\bsay\(`([a-z][\w.-]*\.)\$\{/g)) begun.add(start!);
  }
  for (const action of ACTIONS) whole.add(action.words);
  return { whole, begun };
}

beforeEach(() => tongue.choose('en'));

test('both languages have the same keys', () => {
  expect(Object.keys(it).sort()).toEqual(Object.keys(en).sort());
});

test('both languages fill in the same values', () => {
  const italian = it as Record<string, string>;
  for (const [key, text] of Object.entries(en)) expect([key, placeholders(italian[key]!)]).toEqual([key, placeholders(text)]);
});

test('no key occurs twice', () => {
  expect(Object.keys(en).length).toBe([commonEn, clubEn, inquiryEn, listEn, settingsEn, laboratoryEn, testEn, trialsEn].reduce((sum, one) => sum + Object.keys(one).length, 0));
});

test('the words of a part load with its first page, and in the other language with that language', async () => {
  expect([say('club.ladder'), say('test.play')]).toEqual(['club.ladder', 'test.play']);
  await tongue.enter('club');
  expect([say('club.ladder'), say('test.play')]).toEqual(['Ladder', 'test.play']);
  await tongue.enter('test');
  await tongue.choose('it');
  expect([say('club.ladder'), say('test.play')]).toEqual(['Graduatoria', 'Gioca da qui']);
});

test('no text is empty', () => {
  for (const [key, text] of [...Object.entries(en), ...Object.entries(it)]) expect([key, text.trim()]).not.toEqual([key, '']);
});

test('every key used by the page has words', () => {
  const { whole } = named();
  expect(whole.size).toBeGreaterThan(100);
  expect([...whole].filter((key) => !(key in en))).toEqual([]);
});

test('every key put together by the page has words', () => {
  const { begun } = named();
  expect([...begun].filter((start) => !Object.keys(en).some((key) => key.startsWith(start)))).toEqual([]);
});

test('a count of one has its own words', () => {
  expect(say('force.models', { count: 1 })).toBe('one model');
  expect(say('force.models', { count: 12 })).toBe('12 models');
});

test('a word depends on the number in its place', () => {
  const own = { ...tongue.words };
  tongue.words = { ...own, 'test.dice': '{count} {count|die|dice}' };
  expect([0, 1, 2].map((count) => say('test.dice', { count }))).toEqual(['0 dice', '1 die', '2 dice']);
  tongue.words = own;
});

test('numbers have a comma in Italian, and no more than two decimals', async () => {
  await tongue.choose('it');
  expect(say('luck.stroke', { got: 1.239, expected: 2 })).toBe('1,24, attesi 2');
});

test('a key without words is shown as it is', () => {
  expect(say('nobody.has-written-this')).toBe('nobody.has-written-this');
});

test('the chosen language is kept and told to the browser', async () => {
  await tongue.choose('it');
  expect(localStorage.getItem('campale.language')).toBe('it');
  expect(document.documentElement.lang).toBe('it');
});

test('of two languages chosen in quick succession the last one wins', async () => {
  await Promise.all([tongue.choose('it'), tongue.choose('en')]);
  expect(tongue.language).toBe('en');
  expect(say('luck.stroke', { got: 1.239, expected: 2 })).toContain('1.24');
});
