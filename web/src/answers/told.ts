/** An answer in few words, for the breadcrumbs. */

import { same } from './options';
import { say } from '../lib/words.svelte';
import type { Plain, Sheet } from '../net/wire';

function short(value: Plain | undefined): string {
  return typeof value === 'number' ? String(Math.round(value * 10) / 10) : String(value ?? '–');
}

function point(answer: Plain | undefined): string {
  return Array.isArray(answer) ? `(${answer.slice(0, 2).map(short).join('; ')})` : '–';
}

function ends(sheet: Sheet, answer: Plain): Plain[] {
  const all = sheet.kind === 'move' && !sheet.several ? [answer] : (answer as Plain[]);
  return all.map((one) => (sheet.kind === 'move' ? ((one as Plain[])[0] as Plain[]).at(-1) : one) ?? null);
}

export function toldAnswer(sheet: Sheet, answer: Plain): string {
  if (sheet.kind === 'choose') return sheet.options?.find((one) => same(one.key, answer))?.text ?? short(answer);
  if (sheet.kind === 'form') return sheet.title;
  if (sheet.kind === 'aim') return point(answer);
  if (sheet.kind === 'place' || sheet.kind === 'move') {
    const found = ends(sheet, answer);
    if (found.every((one) => one === null)) return say('ask.stay');
    return found.length > 2 ? `${point(found[0])}… ×${found.length}` : found.map(point).join(' ');
  }
  if (sheet.kind === 'order' && Array.isArray(answer)) {
    return answer.map((key) => sheet.items?.[(sheet.keys ?? []).findIndex((one) => same(one, key))]).join(', ');
  }
  return Array.isArray(answer) ? answer.map(short).join(', ') : short(answer);
}
