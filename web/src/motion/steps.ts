/** Events as steps that play one after another: what goes together, where it goes, how long it takes. */

import { distance, pathLength, type Stance, type XY } from '../lib/geometry';
import type { DiceShown, ModelShown, MotionShown } from '../net/wire';

export type Kind = 'move' | 'come' | 'loss' | 'act' | 'dice';

/** Something that goes from one model to another: a shot, a blow, a charge, a power. */
export interface Act {
  kind: string;
  side: number;
  from: XY;
  to: XY;
  /** The acting model. */
  row: number;
}

export interface Thrown {
  dice: DiceShown;
  counts: string;
}

export interface Step {
  kind: Kind;
  /** The models that move, come or fall. */
  rows: number[];
  ways: Map<number, XY[]>;
  how: string;
  acts: Act[];
  thrown: Thrown | null;
}

/** How long the steps take at the usual pace, in milliseconds. */
export const LENGTHS: Record<Kind, number> = { move: 250, come: 250, loss: 450, act: 420, dice: 650 };
/** A way round corners may take this many times longer. */
const ROUND = 1.6;
/** At most this many lines are drawn for one act. */
const MOST = 12;
/** Models this close, in bases, strike rather than shoot. */
const CLOSE = 1.25;

const isThere = (model: ModelShown | undefined): model is ModelShown => model?.where === 'table';

/** The steps of some motions; `models` are the models before them. */
export function stepsOf(motions: MotionShown[], models: ModelShown[]): Step[] {
  const found: Step[] = [];
  const now = [...models];
  for (const motion of motions) {
    const last = found.at(-1);
    for (const step of stepOf(motion, now)) {
      if (last && step.kind !== 'act' && joins(last, step)) {
        last.rows.push(...step.rows);
        for (const [row, way] of step.ways) last.ways.set(row, way);
      } else found.push(step);
    }
    const row = motion.by?.[0] ?? -1;
    const end = motion.way?.at(-1);
    if (end && now[row]) now[row] = { ...now[row], x: end[0], y: end[1] };
  }
  return found;
}

/** Whether a step joins the last one: the same kind of step, but no model goes two ways at once. */
function joins(last: Step, step: Step): boolean {
  if (last.kind !== step.kind || step.kind === 'dice') return false;
  return last.how === step.how && !step.rows.some((row) => last.rows.includes(row));
}

function stepOf(motion: MotionShown, now: ModelShown[]): Step[] {
  const rows = motion.by ?? [];
  const step = (kind: Kind, part: Partial<Step> = {}): Step => ({
    kind,
    rows: [],
    ways: new Map(),
    how: motion.how ?? '',
    acts: [],
    thrown: null,
    ...part,
  });
  const thrown = motion.dice ? { dice: motion.dice, counts: motion.counts ?? '' } : null;
  switch (motion.kind) {
    case 'move':
      return [step('move', { rows, ways: new Map(motion.way?.length ? [[rows[0]!, motion.way]] : []) })];
    case 'come':
      return [step('come', { rows })];
    case 'loss':
    case 'leave':
      return [step('loss', { rows })];
    case 'dice':
      return thrown ? [step('dice', { thrown })] : [];
    default: {
      const acts = actsOf(motion, now);
      return [...(acts.length ? [step('act', { acts })] : []), ...(thrown ? [step('dice', { thrown })] : [])];
    }
  }
}

/** A line from each acting model to the nearest of its targets; models in touch strike. */
function actsOf(motion: MotionShown, now: ModelShown[]): Act[] {
  const targets: XY[] = (motion.at ?? []).map((row) => now[row]).filter(isThere).map(placeOf);
  if (motion.spot && !targets.length) targets.push(motion.spot);
  if (!targets.length) return [];
  return (motion.by ?? [])
    .map((row) => now[row])
    .filter(isThere)
    .slice(0, MOST)
    .map((model) => {
      const from = placeOf(model);
      const to = targets.reduce((a, b) => (distance(from, b) < distance(from, a) ? b : a));
      const isClose = distance(from, to) < CLOSE * 4 * (model.shape?.radius ?? model.shape?.half?.[0] ?? 0.5);
      return { kind: motion.kind === 'shot' && isClose ? 'blow' : motion.kind, side: model.side, from, to, row: model.row };
    });
}

const placeOf = (model: ModelShown): XY => [model.x ?? 0, model.y ?? 0];

/** The models as shown after a step; their other changes show at the end. */
export function after(models: ModelShown[], step: Step, isLast: boolean, final: ModelShown[]): ModelShown[] {
  if (!step.rows.length) return models;
  const found = [...models];
  for (const row of step.rows) {
    const end = step.ways.get(row)?.at(-1);
    const { [row]: last } = final;
    if (!last) continue;
    if (isLast || step.kind !== 'move' || !end || !found[row]) found[row] = last;
    else found[row] = { ...found[row], x: end[0], y: end[1] };
  }
  return found;
}

/** Whether a step is the last in which any of its models moves. */
export function isLast(steps: Step[], place: number): boolean {
  const rows = new Set(steps[place]?.rows);
  return !steps.slice(place + 1).some((step) => step.rows.some((row) => rows.has(row)));
}

export function lengthOf(step: Step): number {
  const isRound = [...step.ways.values()].some((way) => way.length > 2);
  return LENGTHS[step.kind] * (isRound ? ROUND : 1);
}

/** The keyframes of a model on its way, for the browser's animations; `depth` is the table's. */
export function frames(from: Stance, way: XY[], to: Stance, depth: number): Keyframe[] {
  const points: XY[] = [[from.x, from.y], ...way.slice(1, -1), [to.x, to.y]];
  const whole = pathLength(points) || 1;
  let gone = 0;
  return points.map(([x, y], k) => {
    if (k) gone += distance(points[k - 1]!, [x, y]);
    return { transform: `translate(${x}px, ${depth - y}px)`, offset: k === points.length - 1 ? 1 : gone / whole };
  });
}

/** A turn from one facing to another, the shorter way round. */
export function turning(from: number, to: number): Keyframe[] {
  const by = ((((to - from) % 360) + 540) % 360) - 180;
  return [{ transform: `rotate(${to - by}deg)` }, { transform: `rotate(${to}deg)` }];
}

/** A thrust towards a target and back again, half the way or at most `far`. */
export function thrust(act: Act, depth: number, far: number): Keyframe[] {
  const [[x, y], [tx, ty]] = [act.from, act.to];
  const share = Math.min(0.5, far / (distance(act.from, act.to) || 1));
  const at = (part: number) => `translate(${x + part * (tx - x)}px, ${depth - y - part * (ty - y)}px)`;
  return [{ transform: at(0) }, { transform: at(share), offset: 0.4 }, { transform: at(0) }];
}

/** The dice with the successes first. */
export function sorted(dice: DiceShown): { face: number; isMet: boolean | null }[] {
  const isSum = dice.total != null;
  const all = dice.faces.map((face, k) => ({ face, isMet: isSum || !dice.met?.length ? null : (dice.met[k] ?? null) }));
  return all.sort((a, b) => Number(b.isMet) - Number(a.isMet) || b.face - a.face);
}
