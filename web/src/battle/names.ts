/** The names of the players at the table. */

import type { SeatShown } from '../net/wire';
import { say } from '../lib/words.svelte';

/** A question without the name of the player whom it asks: who is asked stands above it. */
export function without(name: string, text: string): string {
  const rest = name && text.startsWith(`${name}: `) ? text.slice(name.length + 2) : text;
  return rest.charAt(0).toUpperCase() + rest.slice(1);
}

/** The name of a side's player, or else of the side. */
export function nameOf(seats: SeatShown[] | null | undefined, side: number | null): string {
  const name = seats?.find((seat) => seat.side === side)?.name;
  return name || (side === 0 || side === 1 ? say(`side.${side}`) : '');
}
