/** Units as they are listed. */

import type { ModelShown, UnitShown } from './wire';

/** The names of the units that joined this one: they have no models of their own, but one of its models has their name. */
export function partsOf(unit: UnitShown, units: UnitShown[], models: ModelShown[]): string[] {
  const joined = units.filter((one) => one?.side === unit.side && one.models.length === 0).map((one) => one.name);
  const own = new Set(unit.models.map((row) => models[row]?.name));
  return joined.filter((name) => own.has(name));
}
