/** Dice that the player types, or rolls in this browser for a table with real dice. */

import type { Plain, Sheet } from '../net/wire';

/** Faces as the player types them: `3 5 6`, `3,5,6`, or `356` if no die has more than nine sides. */
export function facesTyped(text: string, sides: number, count: number): number[] | null {
  const words = text.match(/\d+/g) ?? [];
  const only = words[0] ?? '';
  const faces = words.length === 1 && sides <= 9 && only.length === count ? [...only] : words;
  const found = faces.map(Number);
  return found.length === count ? found : null;
}

/** A whole number below `below` from the browser's own source of randomness, each equally likely. */
function chance(below: number): number {
  const most = 2 ** 32 - (2 ** 32 % below);
  const found = new Uint32Array(1);
  do crypto.getRandomValues(found);
  while ((found[0] ?? 0) >= most);
  return (found[0] ?? 0) % below;
}

export const rolled = {
  faces: (sides: number, count: number) => Array.from({ length: count }, () => chance(sides) + 1),
  places(pool: number, count: number): number[] {
    const left = Array.from({ length: pool }, (_, place) => place);
    return Array.from({ length: Math.min(count, pool) }, () => left.splice(chance(left.length), 1)[0] ?? 0);
  },
  direction: (step: number) => chance(Math.round(360 / step)) * step,
};

/** Adds a face typed as a digit to the others, if one is missing and the dice have it. Returns whether it did. */
export function laid(draft: { kind: string; sheet: Sheet | null; ordered: Plain[]; wanted: number }, face: number): boolean {
  const sides = Number(draft.sheet?.shown?.sides ?? 6);
  const isFace = sides < 10 && face >= 1 && face <= sides;
  if (draft.kind !== 'roll' || !isFace || draft.ordered.length >= draft.wanted) return false;
  draft.ordered = [...draft.ordered, face];
  return true;
}
