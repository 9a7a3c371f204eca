/** A model corrected by consent: its place and marks other than they should be. */

import type { ModelShown, Plain } from '../net/wire';

export interface Stood {
  x: number | null;
  y: number | null;
  facing: number | null;
}

export interface Marked {
  key: string;
  text: string;
  value: number | null;
}

/** The changes that correct a model; empty if nothing differs, or a number is missing. */
export function change(model: ModelShown, stood: Stood, marked: Marked[]): Plain[] {
  const { row, x = 0, y = 0, z = 0, facing = 0, marks = [] } = model;
  const numbers = [stood.x, stood.y, stood.facing, ...marked.map((mark) => mark.value)];
  if (!numbers.every((number) => typeof number === 'number' && Number.isFinite(number))) return [];
  const isMoved = stood.x !== x || stood.y !== y || stood.facing !== facing;
  const was = (key: string) => marks.find((mark) => mark.key === key)?.value ?? 1;
  return [
    ...(isMoved ? [['move', row, stood.x, stood.y, z, stood.facing]] : []),
    ...marked
      .filter(({ key, value }) => value !== was(key))
      .map(({ key, value }) => ['mark', row, key, Math.round(value!)]),
  ];
}
