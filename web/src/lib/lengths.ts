/** Lengths as the page writes them, with the other unit beside them if the player likes. */

import { settings } from './settings.svelte';
import { tongue } from './words.svelte';

const CM_IN_INCH = 2.54;
const SIGNS: Record<string, string> = { inch: '″', cm: ' cm' };

/** A number with at most one decimal, as the language writes it. */
export function number(value: number, language: string = tongue.language): string {
  return value.toLocaleString(language, { maximumFractionDigits: 1, useGrouping: false });
}

export function written(value: number, unit: string, language: string, isBoth: boolean): string {
  const text = number(value, language) + (SIGNS[unit] ?? '');
  if (!isBoth) return text;
  const other = unit === 'inch' ? 'cm' : 'inch';
  const turned = unit === 'inch' ? value * CM_IN_INCH : value / CM_IN_INCH;
  return `${text} (${number(turned, language)}${SIGNS[other]})`;
}

export function length(value: number, unit: string): string {
  return written(value, unit, tongue.language, settings.likes.both_units);
}
