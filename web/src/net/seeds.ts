/** This browser's seeds for the dice: nobody learns them before everybody is bound by a hash. */

import { sha256 } from './sha256';

const KEPT = 'campale.seed.';
const key = (battle: string, side: number) => `${KEPT}${battle}.${side}`;

/** A fresh seed for a seat, kept until the battle begins; at first only its hash is told. */
export function sealed(battle: string, side: number): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const seed = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  localStorage.setItem(key(battle, side), seed);
  return sha256(seed);
}

/** The seed under a seal; null if this browser does not have it (any more). */
export function seedUnder(seal: string, battle: string, side: number): string | null {
  const seed = localStorage.getItem(key(battle, side));
  return seed !== null && sha256(seed) === seal ? seed : null;
}

/** Forgets the seeds that nobody asks for any more. */
export function begun(battle: string): void {
  for (const side of [0, 1]) localStorage.removeItem(key(battle, side));
}
