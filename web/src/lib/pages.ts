/** The pages, each loaded when it is wanted. */

import type { Component } from 'svelte';
import type { Place } from './route.svelte';
import { tongue } from './words.svelte';

/** What a page is given is its place. */
type Page = { default: Component<any> };

const PAGES: Record<Place['page'], () => Promise<Page>> = {
  home: () => import('../pages/Home.svelte'),
  new: () => import('../pages/New.svelte'),
  join: () => import('../pages/Join.svelte'),
  battle: () => import('../pages/Battle.svelte'),
  replay: () => import('../pages/Replay.svelte'),
  rules: () => import('../pages/Rules.svelte'),
  odds: () => import('../pages/Odds.svelte'),
  armies: () => import('../pages/Armies.svelte'),
  build: () => import('../pages/Build.svelte'),
  puzzles: () => import('../pages/Puzzles.svelte'),
  test: () => import('../pages/Test.svelte'),
  club: () => inClub(import('../pages/Club.svelte')),
  organise: () => inClub(import('../pages/Organise.svelte')),
  season: () => inClub(import('../pages/Season.svelte')),
  newSeason: () => inClub(import('../pages/NewSeason.svelte')),
  come: () => inClub(import('../pages/Come.svelte')),
  lost: () => import('../pages/Lost.svelte'),
};

/** With the words of the club. */
async function inClub(page: Promise<Page>): Promise<Page> {
  await tongue.enterClub();
  return page;
}

export function load(page: Place['page']): Promise<Page> {
  return PAGES[page]();
}
