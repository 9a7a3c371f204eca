/** The parts that play events on the board: one bundle, loaded after the board itself. */

export { default as Acts } from './Acts.svelte';
export { Playing } from './playing.svelte';
export { default as Tray } from './Tray.svelte';
