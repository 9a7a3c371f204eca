/** Plays the player's own army at once. */

import { api } from '../net/api';
import type { Army } from './armies';
import { Choosing } from './choosing.svelte';
import { seated } from '../net/seats';
import { settings } from './settings.svelte';

/** A battle against a bot with a force of the book, on its first table, at the smallest size that fits. Returns its page. */
export async function played(army: Army): Promise<string> {
  const choosing = new Choosing(await api.book(army.book), settings.likes.name);
  choosing.bring(0, army);
  const made = await api.create(choosing.wanted());
  seated(made);
  return `/b/${made.battle}`;
}
