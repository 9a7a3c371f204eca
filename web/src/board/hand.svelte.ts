/** The hand that moves models: drawn here while it drags; the draft hears of it when the hand rests or lets go. */

import { type Draft, endOf, type Moved, type Wish } from '../battle/draft.svelte';
import { distance, facingTowards, formation, middle, bounding, type Stance, type XY } from '../lib/geometry';
import { swung } from '../answers/ways';
import type { ModelShown } from '../net/wire';

const REST = 150;
const BACK = 0.06;

export class Hand {
  rows = $state.raw<number[]>([]);
  /** What the hand held last, first the model that was dragged: its handle turns all of them. */
  last = $state.raw<number[]>([]);
  /** Where the dragged models are drawn. */
  at = $state.raw<Map<number, Stance>>(new Map());
  private from: XY = [0, 0];
  private taken = new Map<number, Stance>();
  private resting: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly draft: () => Draft | null) {}

  get isBusy(): boolean {
    return this.rows.length > 0;
  }

  private get moved(): Moved[] {
    const draft = this.draft();
    return draft && (draft.kind === 'move' || draft.kind === 'place') ? draft.moved : [];
  }

  get isPlacing(): boolean {
    return this.draft()?.kind === 'place';
  }

  /** All models that may be moved. */
  get all(): number[] {
    return this.moved.map((one) => one.row);
  }

  mayMove(row: number): boolean {
    return this.moved.some((one) => one.row === row);
  }

  /** Takes up models at a point of the table, by one of them. */
  take(rows: number[], point: XY, by = rows[0] ?? -1): void {
    this.rows = rows.filter((row) => this.mayMove(row));
    this.isTurned = false;
    this.last = [by, ...this.rows.filter((row) => row !== by)];
    this.from = point;
    this.taken = new Map(this.moved.flatMap((one) => (this.rows.includes(one.row) ? entry(one) : [])));
    this.at = new Map(this.taken);
  }

  drag(point: XY): void {
    const [dx, dy] = [point[0] - this.from[0], point[1] - this.from[1]];
    this.at = new Map([...this.taken].map(([row, one]) => [row, { ...one, x: one.x + dx, y: one.y + dy }]));
    clearTimeout(this.resting);
    this.resting = setTimeout(() => this.tell(), REST);
  }

  /** Turns what is in the hand, or other models, by so many degrees: models being placed turn as one body. */
  turn(by: number, rows: number[]): void {
    const turned = this.isPlacing ? (all: Map<number, Stance>) => swung(all, by) : (all: Map<number, Stance>) => faced(all, by);
    if (this.isBusy) {
      this.isTurned = true;
      this.taken = turned(this.taken);
      this.at = turned(this.at);
      return;
    }
    if (this.isPlacing && rows.length > 1) {
      const standing = new Map(this.moved.flatMap((one) => (rows.includes(one.row) ? entry(one) : [])));
      return this.draft()?.setAll(turned(standing));
    }
    for (const one of this.moved) {
      const end = rows.includes(one.row) ? endOf(one) : null;
      if (end) this.draft()?.turn(one.row, (end.facing + by + 360) % 360);
    }
  }

  /** Turns a model to look at a point, and the models dragged with it the same way. */
  face(row: number, point: XY): void {
    const one = this.moved.find((each) => each.row === row);
    const end = one && endOf(one);
    if (!end) return;
    const facing = Math.round(facingTowards([end.x, end.y], point));
    for (const each of this.last[0] === row ? this.last : [row]) this.draft()?.turn(each, facing);
  }

  /** Sets a way-point where the models are now; the drag goes on from there. */
  wayPoint(point: XY): void {
    clearTimeout(this.resting);
    this.tell();
    this.taken = new Map(this.at);
    this.from = point;
    this.kept = new Set(this.rows);
  }

  /** Whether taps set corners of the way (otherwise Ctrl with a click does). */
  isPointing = $state(false);

  /** Sets a corner in the way of the selected models, or else of all that may be moved. */
  point(rows: number[], at: XY): void {
    const own = rows.filter((row) => this.mayMove(row));
    this.draft()?.wayPoints(own.length ? own : this.all, at);
  }

  /** Whether what is in the hand has been turned. */
  private isTurned = false;

  /** The models that keep their last point while the drag goes on. */
  private kept = new Set<number>();

  private tell(): void {
    for (const one of this.moved) {
      const at = this.at.get(one.row);
      if (at) this.draft()?.set(one.row, this.pointsTo(one, at), this.facingOf(one, at));
    }
    this.kept.clear();
  }

  private pointsTo(one: Moved, at: Stance): XY[] {
    const before = this.kept.has(one.row) ? one.points : one.points.slice(0, -1);
    const end: XY = [grain(at.x), grain(at.y)];
    const last = before.at(-1) ?? (this.draft()?.kind === 'move' && one.start ? [one.start.x, one.start.y] : null);
    return last && distance(last as XY, end) < BACK ? before : [...before, end];
  }

  private facingOf(one: Moved, at: Stance): number | null {
    return one.facing === null && !this.isTurned ? null : at.facing;
  }

  /** Lets go: the server's planner finds the nearest allowed places. */
  async drop(): Promise<void> {
    const rows = this.rows;
    this.tell();
    const dropped = this.moved.filter((one) => rows.includes(one.row) && one.points.length);
    this.let();
    if (dropped.length) await this.draft()?.wish(dropped.flatMap(wished));
  }

  /** Puts back what is in the hand. */
  let(): void {
    clearTimeout(this.resting);
    this.rows = [];
    this.at = new Map();
    this.kept.clear();
  }

  /** A step with the keyboard. */
  nudge(rows: number[], dx: number, dy: number): void {
    for (const one of this.moved) {
      const end = rows.includes(one.row) ? endOf(one) : null;
      if (!end) continue;
      const at = { ...end, x: end.x + dx, y: end.y + dy };
      this.draft()?.set(one.row, this.pointsTo(one, at), one.facing);
    }
  }

  /** Sets down the remaining models in formation about a point. */
  setDown(point: XY, models: ModelShown[]): boolean {
    const waiting = this.moved.filter((one) => !one.isSet && !one.points.length);
    const draft = this.draft();
    if (draft?.kind !== 'place' || !waiting.length) return false;
    if (draft.sheet?.proposal != null) {
      void draft.wishAbout(point);
      return true;
    }
    const widest = Math.max(...waiting.map((one) => bounding(models[one.row]?.shape ?? { radius: 0.5 })));
    const places = formation(waiting.length, point, 2.1 * widest + 0.02);
    void draft.wish(waiting.map((one, k): Wish => [one.row, grain(places[k]![0]), grain(places[k]![1]), one.facing]));
    return true;
  }

  /** Takes models that are being placed, if all of them stand somewhere, to a point together, in the same arrangement. */
  setAnew(point: XY): boolean {
    const draft = this.draft();
    if (draft?.kind !== 'place' || draft.isBusy || !this.moved.length) return false;
    void draft.wishAbout(point);
    return true;
  }

  /** The place of the handle for all movable models: to their right. */
  get handle(): XY | null {
    const ends = this.moved.flatMap((one) => this.at.get(one.row) ?? endOf(one) ?? []);
    if (ends.length < 2) return null;
    return [Math.max(...ends.map((end) => end.x)), middle(ends.map((end): XY => [end.x, end.y]))[1]];
  }
}

function faced(all: Map<number, Stance>, by: number): Map<number, Stance> {
  return new Map([...all].map(([row, one]) => [row, { ...one, facing: (one.facing + by + 360) % 360 }]));
}

function entry(one: Moved): [number, Stance][] {
  const end = endOf(one);
  return end ? [[one.row, end]] : [];
}

/** The points of a way; the last one has the facing. */
function wished(one: Moved): Wish[] {
  return one.points.map(([x, y], k): Wish => [one.row, x, y, k === one.points.length - 1 ? one.facing : null]);
}

/** Rounded coarsely to the server's grid of coordinates: nobody drags finer. */
function grain(value: number): number {
  return Math.round(value * 1000) / 1000;
}
