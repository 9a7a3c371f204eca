/** The names of the players at the table. */

import type { SeatShown } from './wire';
import { say } from './words.svelte';

/** The name of a side's player, or else of the side. */
export function nameOf(seats: SeatShown[] | null | undefined, side: number | null): string {
  const name = seats?.find((seat) => seat.side === side)?.name;
  return name || (side === 0 || side === 1 ? say(`side.${side}`) : '');
}
