import { describe, expect, test } from 'vitest';
import { follow, place, route } from '../src/lib/route.svelte';

describe('place', () => {
  test.each([
    ['/', { page: 'home' }],
    ['/new', { page: 'new', book: '' }],
    ['/join/abc', { page: 'join', code: 'abc' }],
    ['/b/abc', { page: 'battle', id: 'abc' }],
    ['/b/abc/', { page: 'battle', id: 'abc' }],
    ['/replay/abc', { page: 'replay', id: 'abc', at: null }],
    ['/rules', { page: 'rules', book: '', rule: '' }],
    ['/rules/drill', { page: 'rules', book: 'drill', rule: '' }],
    ['/rules/drill/fire/half-range', { page: 'rules', book: 'drill', rule: 'fire/half-range' }],
    ['/rules/drill/fire%20two', { page: 'rules', book: 'drill', rule: 'fire two' }],
    ['/club', { page: 'club' }],
    ['/club/organise', { page: 'organise' }],
    ['/club/new-season', { page: 'newSeason' }],
    ['/club/seasons/abc', { page: 'season', id: 'abc' }],
    ['/club/come/abc', { page: 'come', code: 'abc' }],
  ])('%s', (path, found) => expect(place(path)).toEqual(found));

  test.each(['/b', '/join', '/replay', '/new/more', '/club/come', '/club/come/a/b', '/club/more', '/b/abc/more', '/nothing'])('%s leads nowhere', (path) =>
    expect(place(path)).toEqual({ page: 'lost' }),
  );

  test('a moment of a replay is a number of answers', () => {
    expect(place('/replay/abc', '?at=12')).toMatchObject({ at: 12 });
    expect(place('/replay/abc', '?at=0')).toMatchObject({ at: 0 });
    expect(place('/replay/abc', '?at=-1')).toMatchObject({ at: null });
    expect(place('/replay/abc', '?at=then')).toMatchObject({ at: null });
  });

  test('a new battle may begin with a book', () => expect(place('/new', '?book=drill')).toEqual({ page: 'new', book: 'drill' }));

  test('a new battle may begin with the player’s own army', () =>
    expect(place('/new', '?book=drill&army=a1')).toEqual({ page: 'new', book: 'drill', army: 'a1' }));

  test('the address says which army to build', () =>
    expect(place('/build', '?book=drill')).toEqual({ page: 'build', query: '?book=drill' }));

  test('the armies are those of a book', () => expect(place('/armies', '?book=drill')).toEqual({ page: 'armies', book: 'drill' }));

  test('a path that cannot be decoded is taken as it is', () => expect(place('/b/%E0%A4%A')).toEqual({ page: 'battle', id: '%E0%A4%A' }));
});

describe('follow', () => {
  const went: string[] = [];
  route.go = (path) => void went.push(path);
  Object.assign(globalThis, { location: { origin: 'http://here', pathname: '/' } });

  function clicked(link: object, event: object = {}): boolean {
    went.length = 0;
    let isOurs = false;
    const found = { origin: 'http://here', pathname: '/new', search: '', target: '', hash: '', hasAttribute: () => false, ...link };
    const target = { closest: () => found };
    follow({ button: 0, target, preventDefault: () => (isOurs = true), ...event } as unknown as MouseEvent);
    return isOurs;
  }

  test('a link within the page loads nothing', () => {
    expect(clicked({ search: '?book=drill' })).toBe(true);
    expect(went).toEqual(['/new?book=drill']);
  });

  test.each([
    ['elsewhere', { origin: 'http://there' }, {}],
    ['in a new tab', { target: '_blank' }, {}],
    ['with a key held', {}, { ctrlKey: true }],
    ['with the middle button', {}, { button: 1 }],
    ['to a file', { hasAttribute: () => true }, {}],
    ['to what the server gives', { pathname: '/api/battles/abc/report.md' }, {}],
    ['within the text', { pathname: '/', hash: '#content' }, {}],
    ['already dealt with', {}, { defaultPrevented: true }],
  ])('a link %s is left to the browser', (_, link, event) => {
    expect(clicked(link, event)).toBe(false);
    expect(went).toEqual([]);
  });
});
