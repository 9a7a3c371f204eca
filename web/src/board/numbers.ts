/** The numbers of markers. */

import type { TokenShown } from '../lib/wire';

/** Which of its kind each marker is, counted from 1; null for one alone. */
export function numbered(tokens: TokenShown[]): (number | null)[] {
  const count = new Map<string, number>();
  return tokens.map(({ kind }) => {
    count.set(kind, (count.get(kind) ?? 0) + 1);
    return tokens.filter((one) => one.kind === kind).length > 1 ? count.get(kind)! : null;
  });
}
