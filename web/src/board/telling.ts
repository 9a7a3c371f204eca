/** Models in words: for readers who cannot see the table, and beside the pointer. */

import { type Stance, stanceOf } from '../lib/geometry';
import type { MarkShown, ModelShown, TableShown, TokenShown } from '../net/wire';
import { say, tongue } from '../lib/words.svelte';
import { length } from './drawing';

const place = (value: number) => {
  const text = (Math.round(value * 10) / 10).toFixed(1);
  return tongue.language === 'it' ? text.replace('.', ',') : text;
};

/** "Keeper 3, 2 wounds left, at 24.1; 13, in cover". */
export function told(model: ModelShown, at: Stance = stanceOf(model)): string {
  const parts = [model.name];
  if (model.is_down) parts.push(say('board.down'));
  if (model.wounds && model.wounds[1] > 1)
    parts.push(say('board.wounds', { count: model.wounds[0], of: model.wounds[1] }));
  if (model.points) parts.push(say('board.points', { count: model.points[0], of: model.points[1] }));
  parts.push(say('board.at', { x: place(at.x), y: place(at.y) }));
  if (model.z) parts.push(say('board.up', { height: place(model.z) }));
  return [...parts, ...(model.marks ?? []).map(markTold)].join(', ');
}

export function markTold(mark: MarkShown): string {
  return (mark.value ?? 1) > 1 ? `${mark.text} (${mark.value})` : mark.text;
}

/** "Objective 2, value 3": a marker with its number among its kind, unless the text has it, and its value if it counts. */
export function tokenTold(token: TokenShown, number: number | null): string {
  const title = number === null || token.number ? token.text : say('board.token', { title: token.text, number });
  return token.number && typeof token.value === 'number' ? say('board.token-value', { title, value: token.value }) : title;
}

export function lengthTold(value: number, table: TableShown, decimals = 1): string {
  return length(value, table.unit, tongue.language, decimals);
}
