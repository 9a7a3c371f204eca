/** The keys of this page, as the player has bound them. */

import { ACTIONS, Keys } from './keys';
import { settings } from './settings.svelte';

export const keys = new Keys(ACTIONS, () => settings.likes.keys);
