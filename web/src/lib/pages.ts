/** The pages, each loaded when it is first opened. */

import type { Component } from 'svelte';
import type { Place } from './route.svelte';
import { within } from './words.svelte';

/** A page gets its place as its properties. */
type Page = { default: Component<any> };

const PAGES: Record<Place['page'], () => Promise<Page>> = {
  home: () => import('../pages/Home.svelte'),
  new: () => import('../pages/New.svelte'),
  join: () => import('../pages/Join.svelte'),
  battle: () => import('../pages/Battle.svelte'),
  replay: () => within('trials', import('../pages/Replay.svelte')),
  rules: () => import('../pages/Rules.svelte'),
  odds: () => within('inquiry', import('../pages/Odds.svelte')),
  armies: () => within('list', import('../pages/Armies.svelte')),
  build: () => within('list', import('../pages/Build.svelte')),
  puzzles: () => import('../pages/Puzzles.svelte'),
  laboratory: () => within('laboratory', import('../pages/Laboratory.svelte')),
  test: () => within('test', import('../pages/Test.svelte')),
  club: () => within('club', import('../pages/Club.svelte')),
  organise: () => within('club', import('../pages/Organise.svelte')),
  season: () => within('club', import('../pages/Season.svelte')),
  newSeason: () => within('club', import('../pages/NewSeason.svelte')),
  come: () => within('club', import('../pages/Come.svelte')),
  lost: () => import('../pages/Lost.svelte'),
};

export function load(page: Place['page']): Promise<Page> {
  return PAGES[page]();
}
