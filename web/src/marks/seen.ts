/** How much of a target is seen, by the rays that end in it. */

import type { Sighting } from '../net/wire';

/** The share of free rays, 0 to 1, among those that end between two heights; null if none ends there. */
export function shareSeen(sighting: Sighting, low: number, high: number): number | null {
  const ends = (sighting.rays ?? []).filter((ray) => ray.end[2] > low - 1e-6 && ray.end[2] < high + 1e-6);
  return ends.length ? ends.filter((ray) => ray.is_clear).length / ends.length : null;
}
