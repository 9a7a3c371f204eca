/** What plays on the board: it comes as one piece, after the board itself. */

export { default as Acts } from './Acts.svelte';
export { Playing } from './playing.svelte';
export { default as Tray } from './Tray.svelte';
