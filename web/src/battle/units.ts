/** Units as they are listed. */

import type { ModelShown, UnitShown } from '../net/wire';

/** Whether a model takes no more part in the battle: it is off the table for good, or lies there out of the fight. */
export function isOut(model: ModelShown | undefined): boolean {
  return !!model && (model.where === 'fallen' || model.where === 'gone' || !!model.is_down);
}

/** The names of the units that joined this one: they have no models of their own, but one of its models has their name. */
export function partsOf(unit: UnitShown, units: UnitShown[], models: ModelShown[]): string[] {
  const joined = units.filter((one) => one?.side === unit.side && one.models.length === 0).map((one) => one.name);
  const own = new Set(unit.models.map((row) => models[row]?.name));
  return joined.filter((name) => own.has(name));
}
