/** The numbers of markers. */

import type { TokenShown } from '../net/wire';

/** The number of each marker among those of its kind, from 1; null if it is the only one. */
export function numbered(tokens: TokenShown[]): (number | null)[] {
  const count = new Map<string, number>();
  return tokens.map(({ kind }) => {
    count.set(kind, (count.get(kind) ?? 0) + 1);
    return tokens.filter((one) => one.kind === kind).length > 1 ? count.get(kind)! : null;
  });
}
