/** Units as they are listed. */

import type { ModelShown, UnitShown } from './wire';

/** The names of the units that have become part of this one: without models of their own, one of its models is theirs. */
export function partsOf(unit: UnitShown, units: UnitShown[], models: ModelShown[]): string[] {
  const joined = units.filter((one) => one?.side === unit.side && one.models.length === 0).map((one) => one.name);
  const own = new Set(unit.models.map((row) => models[row]?.name));
  return joined.filter((name) => own.has(name));
}
