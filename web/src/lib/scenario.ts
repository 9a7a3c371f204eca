/** A scenario file on a test table: models set down, moved and taken away. */

import { formation, bounding, type XY } from './geometry';
import type { PieceShown, Plain, ShapeShown, TableShown } from '../net/wire';

/** Everything else in a file stays as it is. */
interface Rest {
  [key: string]: Plain | undefined;
}

export interface ModelFile extends Rest {
  id: string;
  profile: Plain;
  side?: number;
  at?: number[];
  facing?: number;
  unit?: string;
  where?: string;
}

export interface ScenarioFile {
  campale: string;
  ruleset: string;
  title: Plain;
  models: ModelFile[];
  table?: Plain;
  now?: Plain;
  units?: { [name: string]: Plain };
  /** Whether the file tells the whole position: then rows and the moment are kept. */
  whole?: boolean;
}

export interface ProfileKit {
  name: string;
  title: string;
  shape: ShapeShown;
  likeness: string;
}

/** Everything needed to lay a test table of a book. `alone`: every model is a unit of its own. */
export interface Kit {
  book: string;
  title: string;
  table: TableShown;
  alone: boolean;
  profiles: ProfileKit[];
  moments: { name: string; title: string; now: { [key: string]: Plain } }[];
  tables: { name: string; title: string; table: Plain; pieces: PieceShown[] }[];
}

export interface Place {
  x: number;
  y: number;
  facing: number;
}

export interface Wanted {
  profile: ProfileKit;
  side: number;
  count: number;
}

const MOST_LETTERS = 40;

export const unitOf = (one: ModelFile): string => one.unit ?? one.id;
export const isOnTable = (one: ModelFile): boolean => (one.where ?? 'table') === 'table' && Boolean(one.at);

export function emptyFile(kit: Kit, title: string): ScenarioFile {
  const now = kit.moments[0]?.now;
  return { campale: 'scenario/1', ruleset: kit.book, title, models: [], ...(now ? { now } : {}) };
}

/** The profile of a model, by its own name or, in a book with lists, by the part after the list's name. */
export function profileOf(one: ModelFile, kit: Kit): ProfileKit | undefined {
  const written = one.profile;
  const isPlain = typeof written === 'object' && written !== null && !Array.isArray(written);
  const name = isPlain ? written.profile : written;
  return kit.profiles.find((each) => each.name === name) ?? kit.profiles.find((each) => each.name.endsWith(`/${name}`));
}

/** Where a model stands; without a facing it looks towards the other side. */
export function placeOf(one: ModelFile): Place {
  const [x = 0, y = 0] = one.at ?? [];
  return { x, y, facing: one.facing ?? (one.side === 2 ? 180 : 0) };
}

/** A name not yet in use; it begins with a capital letter. */
export function freshName(file: ScenarioFile, title: string): string {
  const letters = title.trim().slice(0, MOST_LETTERS);
  const name = letters.charAt(0).toUpperCase() + letters.slice(1);
  const begun = /^[A-ZÀ-Þ]/.test(name) ? name : `M ${name}`;
  const taken = new Set(file.models.flatMap((one) => [one.id, unitOf(one)]));
  for (let number = 1; ; number++) {
    const found = number === 1 ? begun : `${begun} ${number}`;
    if (!taken.has(found) && !taken.has(`${found}-1`)) return found;
  }
}

/** The file with one more unit about a point; if every model is a unit of its own, with so many more units. */
export function setDown(file: ScenarioFile, kit: Kit, { profile, side, count }: Wanted, at: XY): ScenarioFile {
  const apart = 2.1 * bounding(profile.shape) + 0.05;
  let now = file;
  const unit = freshName(file, profile.title);
  formation(count, at, apart).forEach(([x, y], k) => {
    const id = kit.alone ? freshName(now, profile.title) : count === 1 ? unit : `${unit}-${k + 1}`;
    const model: ModelFile = { id, profile: profile.name, side, at: [rounded(x), rounded(y)], facing: side === 2 ? 180 : 0 };
    now = { ...now, models: [...now.models, kit.alone || count === 1 ? model : { ...model, unit }] };
  });
  return now;
}

/** The file with models moved to other places, by their numbers in it. */
export function moved(file: ScenarioFile, places: Map<number, Place>): ScenarioFile {
  const models = file.models.map((one, row) => {
    const to = places.get(row);
    return to ? { ...one, at: [rounded(to.x), rounded(to.y)], facing: rounded(to.facing) } : one;
  });
  return { ...file, models };
}

/** The file without some models; the entry of a unit goes with its last model. */
export function without(file: ScenarioFile, rows: number[]): ScenarioFile {
  if (file.whole) return taken(file, rows);
  const models = file.models.filter((_, row) => !rows.includes(row));
  const left = new Set(models.map(unitOf));
  const units = Object.entries(file.units ?? {}).filter(([name]) => left.has(name));
  return { ...file, models, ...(file.units ? { units: Object.fromEntries(units) } : {}) };
}

/** A whole file with models and their passengers taken off the table; they stay in it, since others may refer to numbers. */
function taken(file: ScenarioFile, rows: number[]): ScenarioFile {
  const aboard = new Set(rows.map((row) => `aboard ${file.models[row]?.id}`));
  const models = file.models.map((one, row) => (rows.includes(row) || aboard.has(one.where ?? '') ? { ...one, where: 'gone' } : one));
  return { ...file, models };
}

/** The file set to begin in a phase; a whole one keeps the rest of its moment. */
export function begunIn(file: ScenarioFile, now: { [key: string]: Plain }): ScenarioFile {
  return { ...file, now: file.whole ? { ...(file.now as { [key: string]: Plain }), ...now } : now };
}

/** A free place for a unit: where its side begins, beside what stands there; the middle if there is none. */
export function freePlace(file: ScenarioFile, kit: Kit, table: TableShown, { profile, side, count }: Wanted): XY {
  const room = 1.05 * bounding(profile.shape) + 0.05;
  const across = Math.min(count, Math.max(1, Math.ceil(Math.sqrt(count * 2))));
  const [wide, deep] = [across * room, Math.ceil(count / across) * room];
  const standing = file.models.filter(isOnTable).map((one) => ({ ...placeOf(one), room: 1.05 * bounding(profileOf(one, kit)?.shape ?? {}) }));
  const isFree = ([x, y]: XY) => standing.every((one) => Math.abs(one.x - x) > wide + one.room || Math.abs(one.y - y) > deep + one.room);
  for (let y = table.depth / 6; y < table.depth / 2 - deep; y += room)
    for (let k = 0; k * room < table.width - 2 * wide; k++) {
      const x = table.width / 2 + ((k % 2 ? -1 : 1) * Math.ceil(k / 2) * room);
      const at: XY = [x, side === 2 ? table.depth - y : y];
      if (isFree(at)) return at;
    }
  return [table.width / 2, table.depth / 2];
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}
