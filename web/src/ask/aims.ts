/** Who is aimed at whom, as the board draws it: by units. */

import type { Draft } from '../lib/draft.svelte';

/** Models that act, and those that they are aimed at: each of one unit. */
export interface Aim {
  from: number[];
  to: number[];
}

/** By the act that is answered, by the fields of a form shown whole, by the option that is looked at. */
export function aims(draft: Draft): Aim[] {
  const declared = (draft.levels[0]?.form ?? draft.sheet)?.shown?.aims as [number, number][] | undefined;
  const fields = (draft.whole?.steps ?? []).flatMap((step) => step.aims ?? []);
  const looked: [number[], number[]][] = draft.kind === 'choose' ? [[draft.marks.actors, draft.marks.targets]] : [];
  const all = [...(declared ?? []).map(([from, to]): [number[], number[]] => [[from], [to]]), ...fields, ...looked];
  const found = new Map<string, Aim>();
  for (const [from, to] of all) {
    for (const one of byUnit(draft, from)) {
      for (const other of byUnit(draft, to)) {
        const key = `${draft.unitOf(one[0] ?? -1)} ${draft.unitOf(other[0] ?? -1)}`;
        const known = found.get(key) ?? { from: [], to: [] };
        found.set(key, { from: union(known.from, one), to: union(known.to, other) });
      }
    }
  }
  return [...found.values()];
}

function byUnit(draft: Draft, rows: number[]): number[][] {
  const found = new Map<number, number[]>();
  for (const row of rows) found.set(draft.unitOf(row) ?? -1, [...(found.get(draft.unitOf(row) ?? -1) ?? []), row]);
  return [...found.values()];
}

function union(some: number[], others: number[]): number[] {
  return [...new Set([...some, ...others])];
}
