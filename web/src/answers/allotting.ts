/** Who gets what: items counted out to holders, several equal ones at a time. */

import { same } from './options';
import type { Plain, Sheet } from '../net/wire';

export interface Lot {
  text: string;
  /** The places of these items in the list. */
  places: number[];
}

export type Given = (number | null)[];

/** Items with the same text form one lot. */
export function lots(items: string[]): Lot[] {
  const found = new Map<string, number[]>();
  items.forEach((text, place) => found.set(text, [...(found.get(text) ?? []), place]));
  return [...found].map(([text, places]) => ({ text, places }));
}

export function count(given: Given, lot: Lot, holder: number): number {
  return lot.places.filter((place) => given[place] === holder).length;
}

export function unallotted(given: Given, lot: Lot): number {
  return lot.places.filter((place) => given[place] === null).length;
}

export function total(given: Given, holder: number): number {
  return given.filter((one) => one === holder).length;
}

/** Gives a holder one more: an item that nobody has, or else one from the other holder with the most. */
export function oneMore(given: Given, lot: Lot, holder: number): Given {
  const free = lot.places.find((place) => given[place] === null);
  const place = free ?? lot.places.findLast((place) => given[place] === richest(given, lot, holder));
  return place === undefined ? given : given.with(place, holder);
}

function richest(given: Given, lot: Lot, but: number): number | undefined {
  const others = lot.places.map((place) => given[place]).filter((one): one is number => one != null && one !== but);
  return others.toSorted((a, b) => count(given, lot, b) - count(given, lot, a))[0];
}

export function oneLess(given: Given, lot: Lot, holder: number): Given {
  const place = lot.places.findLast((place) => given[place] === holder);
  return place === undefined ? given : given.with(place, null);
}

/** Gives a holder all that nobody has; if everything is given out, all but one item of every other holder. */
export function restTo(given: Given, holder: number): Given {
  if (!isComplete(given)) return given.map((one) => one ?? holder);
  const kept = new Set<number>();
  return given.map((one) => {
    if (one === null || one === holder || kept.has(one)) return holder;
    kept.add(one);
    return one;
  });
}

export function isComplete(given: Given): boolean {
  return given.every((one) => one !== null);
}

/** The proposal, or else nothing given yet. */
export function begun(sheet: Sheet, answer: Plain | undefined = sheet.proposal): Given {
  const items = sheet.items ?? [];
  const holders = sheet.holders ?? [];
  if (!Array.isArray(answer) || answer.length !== items.length) return items.map(() => null);
  return answer.map((one) => holders.find((holder) => same(holder, one)) ?? null);
}
