/** From the table's coordinates (y up) to those of the picture (y down), and paths of SVG. */

import type { XY } from '../lib/geometry';
import type { ModelShown, ShapeShown, UnitShown } from '../lib/wire';

/** How far off the edge of a circle the handle lies by which it is made wider, in pixels. */
export const STEM = 16;

const short = (value: number) => Math.round(value * 1000) / 1000;

/** A path through points of the table, for a table of this depth. */
export function path(points: XY[], depth: number, isClosed = true): string {
  const drawn = points.map(([x, y]) => `${short(x)} ${short(depth - y)}`);
  return drawn.length ? `M${drawn.join('L')}${isClosed ? 'Z' : ''}` : '';
}

/** A path in a shape's own coordinates, +y forward being up in the picture. */
export function ownPath(points: XY[]): string {
  return path(points, 0);
}

export function disc(x: number, y: number, r: number): string {
  return `M${short(x - r)} ${short(y)}a${short(r)} ${short(r)} 0 1 0 ${short(2 * r)} 0a${short(r)} ${short(r)} 0 1 0 ${short(-2 * r)} 0Z`;
}

/** A sector about the centre, in the picture's own coordinates: degrees clockwise off straight up. */
export function sector(radius: number, from: number, to: number): string {
  const at = (angle: number) => {
    const turn = (angle * Math.PI) / 180;
    return `${short(radius * Math.sin(turn))} ${short(-radius * Math.cos(turn))}`;
  };
  return `M0 0L${at(from)}A${short(radius)} ${short(radius)} 0 ${to - from > 180 ? 1 : 0} 1 ${at(to)}Z`;
}

/** The radius of the largest circle about the centre of a shape that stays inside, more or less: room for letters. */
export function inner(shape: ShapeShown): number {
  if (shape.corners) {
    const [xs, ys] = [shape.corners.map((c) => c[0]), shape.corners.map((c) => c[1])];
    return Math.min(Math.max(...xs), -Math.min(...xs), Math.max(...ys), -Math.min(...ys));
  }
  return shape.half ? Math.min(...shape.half) : (shape.radius ?? 0);
}

/** Short signs of units, for their bases: initials, told apart by numbers within a side. */
export function signs(units: UnitShown[]): Map<number, string> {
  const found = new Map<number, string>();
  const taken = new Map<string, number>();
  for (const unit of units) {
    const sign = initials(unit.name);
    const key = `${unit.side}/${sign}`;
    const before = taken.get(key) ?? 0;
    taken.set(key, before + 1);
    found.set(unit.row, before ? `${sign}${before + 1}` : sign);
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

/** The models that stand on the table, those of a unit together. */
export function standing(models: ModelShown[]): ModelShown[] {
  return models
    .filter((one) => one?.where === 'table' && one.shape)
    .sort((a, b) => a.side - b.side || a.unit - b.unit || a.row - b.row);
}

/** A sentence in lines of about so many letters, broken between words. */
export function broken(text: string, letters: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last === undefined || last.length + 1 + word.length > letters) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines;
}

/** A length as it is told on the table: in the unit's sign, with at most so many decimals. */
export function length(value: number, unit: string, language: string, decimals = 1): string {
  const text = String(Math.round(value * 10 ** decimals) / 10 ** decimals);
  return (language === 'it' ? text.replace('.', ',') : text) + (unit === 'inch' ? '″' : ' cm');
}
