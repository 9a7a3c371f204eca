/** From the table's coordinates (y up) to the picture's (y down), and SVG paths. */

import type { XY } from '../lib/geometry';
import type { MarkShown, ModelShown, ShapeShown, UnitShown } from '../net/wire';

/** How far from the edge of a circle its handle for widening lies, in pixels. */
export const STEM = 16;

const short = (value: number) => Math.round(value * 1000) / 1000;

/** A path through points of the table; `depth` is the table's. */
export function path(points: XY[], depth: number, isClosed = true): string {
  const drawn = points.map(([x, y]) => `${short(x)} ${short(depth - y)}`);
  return drawn.length ? `M${drawn.join('L')}${isClosed ? 'Z' : ''}` : '';
}

/** A path in a shape's own coordinates: +y, its front, is up in the picture. */
export function ownPath(points: XY[]): string {
  return path(points, 0);
}

export function disc(x: number, y: number, r: number): string {
  return `M${short(x - r)} ${short(y)}a${short(r)} ${short(r)} 0 1 0 ${short(2 * r)} 0a${short(r)} ${short(r)} 0 1 0 ${short(-2 * r)} 0Z`;
}

/** Wounds as pips on an arc round the lower rim, or the upper one: those left and those lost. */
export function pipArc(left: number, all: number, r: number, isAbove: boolean): { left: string; lost: string } {
  const step = Math.min(26, 130 / Math.max(1, all - 1));
  const at = (k: number) => {
    const turn = ((isAbove ? 0 : 180) + (isAbove ? 1 : -1) * (k - (all - 1) / 2) * step) * (Math.PI / 180);
    return disc(0.97 * r * Math.sin(turn), -0.97 * r * Math.cos(turn), 0.13 * r * Math.min(1, step / 20));
  };
  const some = (from: number, to: number) =>
    Array.from({ length: Math.max(0, to - from) }, (_, k) => at(from + k)).join('');
  return { left: some(0, left), lost: some(left, all) };
}

/** A sector about the centre, in the picture's coordinates: degrees clockwise from straight up. */
export function sector(radius: number, from: number, to: number): string {
  const at = (angle: number) => {
    const turn = (angle * Math.PI) / 180;
    return `${short(radius * Math.sin(turn))} ${short(-radius * Math.cos(turn))}`;
  };
  return `M0 0L${at(from)}A${short(radius)} ${short(radius)} 0 ${to - from > 180 ? 1 : 0} 1 ${at(to)}Z`;
}

/** The radius of the largest circle about a shape's centre that stays inside, roughly: room for letters. */
export function inner(shape: ShapeShown): number {
  if (shape.corners) {
    const [xs, ys] = [shape.corners.map((c) => c[0]), shape.corners.map((c) => c[1])];
    return Math.min(Math.max(...xs), -Math.min(...xs), Math.max(...ys), -Math.min(...ys));
  }
  return shape.half ? Math.min(...shape.half) : (shape.radius ?? 0);
}

/** Short signs for the bases of units: initials, with numbers if units would share them. No two are the same. */
export function signs(units: UnitShown[]): Map<number, string> {
  const found = new Map<number, string>();
  const taken = new Set<string>();
  for (const unit of units) {
    const sign = initials(unit.name);
    const stem = sign.replace(/\d+$/, '');
    let own = sign;
    for (let number = 2; taken.has(own); number++) own = `${stem}${number}`;
    taken.add(own);
    found.set(unit.row, own);
  }
  return found;
}

function initials(name: string): string {
  const number = /[\s(](\d+)\)?$/.exec(name)?.[1] ?? '';
  const words = name
    .replace(/[\s(]+\d+\)?$/, '')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word, place) => word.length > 3 || !place || name.length < 6);
  const letters =
    words.length > 1 ? words.slice(0, 2).map((word) => [...word][0] ?? '') : [...(words[0] ?? name)].slice(0, 2);
  return letters.join('').replace(/^./u, (first) => first.toUpperCase()) + number;
}

/** The most common of some texts. */
export function commonest(all: string[]): string {
  const count = new Map<string, number>();
  for (const one of all) count.set(one, (count.get(one) ?? 0) + 1);
  return [...count].reduce((a, b) => (b[1] > a[1] ? b : a), ['', 0])[0];
}

/** Below this distance on the screen, in pixels from base to base, models cannot be told apart. */
const NEAREST = 11;

/** Whether the view is so far away that the models of a unit overlap as they are drawn. */
export function isFarAway(models: ModelShown[], pixel: number): boolean {
  const wide = models.map((one) => 2 * inner(one.shape ?? {})).sort((a, b) => a - b);
  const middle = wide[Math.floor(wide.length / 2)];
  return middle !== undefined && middle < NEAREST * pixel;
}

/** The models on the table, grouped by unit. */
export function standing(models: ModelShown[]): ModelShown[] {
  return models
    .filter((one) => one?.where === 'table' && one.shape)
    .sort((a, b) => a.side - b.side || a.unit - b.unit || a.row - b.row);
}

/** Who leads, the highest first. */
const RANKS = ['commands', 'leads', 'heads'];

/** The marks that show as badges. Of several ranks only the highest does, and nobody leads himself. */
export function badges(marks: MarkShown[], isAlone: boolean): MarkShown[] {
  const shown = marks.filter(({ state }) => state !== 'done' && !(isAlone && state === 'heads'));
  const highest = RANKS.find((rank) => shown.some(({ state }) => state === rank));
  return shown.filter(({ state }) => state === highest || !RANKS.includes(state ?? ''));
}

const BADGE_TURN = 32;

/** By how many degrees around a base its badges follow one another, so that none covers the next. */
export function badgeTurn(size: number, far: number): number {
  const apart = (2 * Math.asin(Math.min(1, size / far)) * 180) / Math.PI;
  return Math.min(90, Math.max(BADGE_TURN, apart));
}

/** A sentence broken between words into lines of about so many letters. */
export function broken(text: string, letters: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last === undefined || last.length + 1 + word.length > letters) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines;
}

/** A length as the table shows it: with the unit's sign and at most so many decimals. */
export function length(value: number, unit: string, language: string, decimals = 1): string {
  const text = String(Math.round(value * 10 ** decimals) / 10 ** decimals);
  return (language === 'it' ? text.replace('.', ',') : text) + (unit === 'inch' ? '″' : ' cm');
}
