/** The roll that led to a question: the last line of the journal; after a roll-off, the lines of both sides. */

import type { Line } from '../net/wire';

export function rolledBefore(lines: readonly Line[]): Line[] {
  const last = lines.at(-1);
  const before = lines.at(-2);
  if (!last?.dice) return [];
  const isRollOff = before?.dice?.why === last.dice.why && before.side !== last.side && last.dice.faces.length === 1;
  return before && isRollOff ? [before, last] : [last];
}
