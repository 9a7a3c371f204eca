/** Whom a leader leads, and which of them are too far from him, by where they are drawn now. */

import { gap, type Stance } from '../lib/geometry';
import type { ModelShown } from '../net/wire';

/** The rows of the leaders to show: one selected alone, one being moved, and those who lead a unit being moved. */
export function leaders(models: ModelShown[], selected: number[], moving: number[]): number[] {
  const units = new Set(moving.map((row) => models[row]?.unit));
  const leads = (one: ModelShown | undefined) => Boolean(one?.command) && one?.where === 'table';
  const isMeant = (one: ModelShown) =>
    (selected.length === 1 && selected[0] === one.row) ||
    moving.includes(one.row) ||
    Boolean(one.command?.units?.some((unit) => units.has(unit)));
  return models.filter((one) => leads(one) && isMeant(one)).map((one) => one.row);
}

/** The rows of the models of units without any model in their leader's reach. */
export function beyond(models: ModelShown[], leader: ModelShown, place: (row: number) => Stance): number[] {
  const { reach, units = [] } = leader.command ?? { reach: 0 };
  const body = (one: ModelShown) => ({ ...place(one.row), shape: one.shape ?? { radius: 0 } });
  const own = body(leader);
  return units.flatMap((unit) => {
    const led = models.filter((one) => one?.unit === unit && one.where === 'table' && one.shape);
    return led.some((one) => gap(own, body(one)) <= reach + 0.001) ? [] : led.map((one) => one.row);
  });
}
