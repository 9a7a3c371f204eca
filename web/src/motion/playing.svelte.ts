/** Plays events on the board: models glide, shots fly, dice tumble. Nothing waits for it. */

import { tick } from 'svelte';
import type { Watcher } from '../battle/battle.svelte';
import { stanceOf } from '../lib/geometry';
import { settings } from '../lib/settings.svelte';
import type { ModelShown, MotionShown } from '../net/wire';
import { after, type Act, frames, isLast, lengthOf, type Step, stepsOf, thrust, type Thrown, turning } from './steps';

interface Happened {
  steps: Step[];
  before: ModelShown[];
  after: ModelShown[];
}

export interface Table {
  svg: () => SVGSVGElement | undefined;
  depth: () => number;
  /** The speed as a multiple of the usual one: a replay has its own. */
  pace: () => number;
}

const FAST = 2.5;
/** The more events wait, the faster they all play: twice as fast for so many, and never faster than `MOST`. */
const MANY = 6;
const MOST = 5;
/** How long dice stay when nothing follows, in milliseconds. */
const LIE = 1800;
/** The length of a thrust, as a fraction of a grid square. */
const THRUST = 1.2;
const GLIDE = 'cubic-bezier(0.4, 0, 0.3, 1)';
const RUSH = 'cubic-bezier(0.7, 0, 0.9, 0.5)';

export class Playing implements Watcher {
  /** The models as the board should show them just now; null: as they are. */
  models = $state.raw<ModelShown[] | null>(null);
  acts = $state.raw<Act[]>([]);
  tray = $state.raw<Thrown[]>([]);
  /** How long the current step takes, in milliseconds. */
  length = $state(0);
  isPaused = $state(false);
  isBusy = $state(false);

  private queue: Happened[] = [];
  private running: Animation[] = [];
  private turn = 0;
  private lying: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly table: Table) {}

  happened(before: ModelShown[], now: ModelShown[], motions: MotionShown[]): void {
    if (document.hidden) return this.skip();
    const steps = stepsOf(motions, before);
    if (!steps.length && !this.isBusy) return;
    this.queue.push({ steps, before, after: now });
    if (!this.isBusy) void this.go();
  }

  /** Ends the play at once: all that was left has happened. */
  skip(): void {
    this.turn += 1;
    this.queue = [];
    this.stop();
    this.models = null;
    this.acts = [];
    this.isBusy = this.isPaused = false;
    this.lie();
  }

  pause(): void {
    this.isPaused = !this.isPaused;
    for (const one of this.running) this.isPaused ? one.pause() : one.play();
  }

  private get rate(): number {
    const liked = settings.likes.motion === 'fast' ? FAST : 1;
    return liked * this.table.pace() * Math.min(MOST, 1 + this.queue.length / MANY);
  }

  private async go(): Promise<void> {
    const turn = ++this.turn;
    this.isBusy = true;
    this.models = this.queue[0]!.before;
    for (let one = this.queue.shift(); one; one = this.queue.shift()) {
      for (const [place, step] of one.steps.entries()) {
        await this.play(step, isLast(one.steps, place), one.after);
        if (turn !== this.turn) return;
      }
      this.models = one.after;
    }
    this.models = null;
    this.isBusy = false;
    this.lie();
  }

  private async play(step: Step, last: boolean, final: ModelShown[]): Promise<void> {
    const before = this.models ?? final;
    const now = after(before, step, last, final);
    this.length = lengthOf(step) / this.rate;
    this.acts = step.acts;
    if (step.thrown) this.throws(step.thrown);
    if (step.kind !== 'loss') this.models = now;
    await tick();
    this.stop();
    const clock = new Animation(new KeyframeEffect(null, null, { duration: this.length }), document.timeline);
    this.running = [clock, ...this.animated(step, before, now)];
    clock.play();
    if (this.isPaused) for (const one of this.running) one.pause();
    await clock.finished.catch(() => undefined);
    if (step.kind === 'loss') this.models = now;
    this.acts = [];
  }

  private animated(step: Step, before: ModelShown[], now: ModelShown[]): Animation[] {
    const depth = this.table.depth();
    const begin = (row: number, how: Keyframe[], easing = GLIDE, isInner = false) => {
      const base = this.table.svg()?.querySelector<SVGGElement>(`.bases [data-row="${row}"]`);
      const node = isInner ? base?.firstElementChild : base;
      return node ? [node.animate(how, { duration: this.length, easing, fill: isInner ? 'none' : 'backwards' })] : [];
    };
    if (step.acts.length)
      return step.acts
        .filter((act) => act.kind === 'blow' || act.kind === 'charge')
        .flatMap((act) => begin(act.row, thrust(act, depth, THRUST)));
    return step.rows.flatMap((row) => {
      const [from, to] = [stanceOf(before[row]), stanceOf(now[row])];
      const at = `translate(${to.x}px, ${depth - to.y}px)`;
      if (step.kind === 'loss') return begin(row, falling(`translate(${from.x}px, ${depth - from.y}px)`));
      if (step.kind === 'come')
        return begin(row, [{ opacity: 0, transform: `${at} scale(1.5)` }, { opacity: 1, transform: at }]);
      const easing = step.how === 'charge' ? RUSH : GLIDE;
      const way = begin(row, frames(from, step.ways.get(row) ?? [], to, depth), easing);
      return from.facing === to.facing ? way : [...way, ...begin(row, turning(from.facing, to.facing), easing, true)];
    });
  }

  /** Dice that follow other dice stand beside those results; new hits begin a new row. */
  private throws(thrown: Thrown): void {
    clearTimeout(this.lying);
    const isNew = !thrown.counts || thrown.counts === 'hits' || !this.tray.at(-1)?.counts;
    this.tray = isNew ? [thrown] : [...this.tray, thrown];
  }

  private lie(): void {
    clearTimeout(this.lying);
    this.lying = setTimeout(() => (this.tray = []), LIE);
  }

  private stop(): void {
    for (const one of this.running) one.cancel();
    this.running = [];
  }

  close(): void {
    this.skip();
    clearTimeout(this.lying);
  }
}

/** A model falls over and fades in its place. */
function falling(at: string): Keyframe[] {
  return [
    { transform: at, opacity: 1 },
    { transform: `${at} rotate(78deg) scale(0.95, 0.7)`, opacity: 0.9, offset: 0.45 },
    { transform: `${at} rotate(84deg) scale(0.9, 0.6)`, opacity: 0 },
  ];
}
