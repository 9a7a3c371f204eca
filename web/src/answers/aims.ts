/** Which unit is aimed at which, as the board draws it. */

import type { Draft } from '../battle/draft.svelte';

/** The models that act and the models they are aimed at: one unit each. */
export interface Aim {
  from: number[];
  to: number[];
}

/** Aims of the act under way, of the fields of a form shown whole, and of the option under the pointer. */
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
