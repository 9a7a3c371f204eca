import { mount } from 'svelte';
import App from './App.svelte';
import { load } from './lib/pages';
import { look } from './lib/renewed.svelte';
import { route } from './lib/route.svelte';
import { sitByLink } from './lib/seats';
import { tongue } from './lib/words.svelte';
import './page.css';

/** A part that does not come may be gone with an upgrade. */
addEventListener('vite:preloadError', () => void look());

/** A link to one's seats is opened once; on the page of their battle that begins anew. */
sitByLink();
addEventListener('hashchange', () => {
  if (sitByLink()) location.reload();
});

/** The page that is wanted comes together with its words; where it does not come, the page itself says so. */
load(route.place.page).catch(() => undefined);
await tongue.ready;
mount(App, { target: document.getElementById('page')! });
