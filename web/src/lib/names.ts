/** What those at the table are called. */

import type { SeatShown } from './wire';
import { say } from './words.svelte';

/** The name of whoever plays a side; where none was given, that of the side. */
export function nameOf(seats: SeatShown[] | null | undefined, side: number | null): string {
  const name = seats?.find((seat) => seat.side === side)?.name;
  return name || (side === 0 || side === 1 ? say(`side.${side}`) : '');
}
