import { mount } from 'svelte';
import App from './App.svelte';
import { load } from './lib/pages';
import { look } from './net/renewed.svelte';
import { route } from './lib/route.svelte';
import { sitByLink } from './net/seats';
import { tongue } from './lib/words.svelte';
import './page.css';

/** A part that does not load may be gone after an upgrade. */
addEventListener('vite:preloadError', () => void look());

/** A link to the player's seats is opened once; on the page of their battle, that page starts over. */
sitByLink();
addEventListener('hashchange', () => {
  if (sitByLink()) location.reload();
});

/** The wanted page loads together with its words; if it does not load, the page itself says so. */
load(route.place.page).catch(() => undefined);
await tongue.ready;
mount(App, { target: document.getElementById('page')! });
