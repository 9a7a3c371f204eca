/** Work on the table: models set down and moved, points aimed at, wishes for the server's planner. */

import {
  about as roundAbout,
  answered,
  centre,
  endOf,
  isMoved,
  lagging,
  lengthAt,
  lifted,
  rounded,
  routeLength,
  through,
  type Formation,
  type Moved,
  type Wish,
  type XY,
} from '../answers/ways';
import { Picking } from './picking.svelte';
import { view } from './view.svelte';
import { brought } from '../answers/laid';
import type { LaidShown, Plain, RefusalShown, Sheet } from '../net/wire';

/** How long a pointer rests before the server is asked what a template under it would cover, in milliseconds. */
const REST = 60;

export abstract class Laying extends Picking {
  moved = $state.raw<Moved[]>([]);
  point = $state.raw<XY | null>(null);
  facing = $state<number | null>(null);
  length = $state<number | null>(null);
  /** The width of an aimed circle, if the player chooses it. */
  size = $state<number | null>(null);
  /** The formation of units being set down, once the player has chosen it; it also holds for the next ones. */
  formation = $state.raw<Formation | null>(null);
  show = $state.raw<{ at: XY; n: number } | null>(null);
  /** The models that could not follow to their wanted places while others went on. */
  behind = $state.raw<number[]>([]);

  /** The aim drawn under a pointer that has not chosen its point yet, and whether it may not lie there. */
  over = $state.raw<{ laid: LaidShown; isRefused: boolean } | null>(null);
  private rest: ReturnType<typeof setTimeout> | undefined;
  private rests = 0;

  /** A pointer is over a point of the table; null: it has left the table. */
  hover(at: XY | null): void {
    this.leave();
    const shape = this.kind === 'aim' ? this.sheet?.laid : null;
    if (!at || !shape || this.isBusy) return;
    this.over = { laid: brought(shape, at, this.radius), isRefused: false };
    const turn = this.rests;
    this.rest = setTimeout(() => void this.tellOver(shape, at, turn), REST);
  }

  private async tellOver(shape: LaidShown, at: XY, turn: number): Promise<void> {
    const third = this.isSized ? (this.size ?? this.widest) : this.facing;
    const answer = third === null ? at : [...at, third];
    const reply = await this.battle.ask({ do: 'check', question: this.question, answer, path: this.path.answers });
    if (turn !== this.rests || reply?.is !== 'checked') return;
    this.over = { laid: reply.laid ?? brought(shape, at, this.radius), isRefused: Boolean(reply.refusal) };
  }

  private leave(): void {
    clearTimeout(this.rest);
    this.rests++;
    this.over = null;
  }

  protected override unjudged(): void {
    super.unjudged();
    this.behind = [];
    this.leave();
  }

  override touched(): void {
    this.behind = [];
    super.touched();
  }

  set(row: number, points: XY[], facing: number | null): void {
    this.moved = this.moved.map((one) => (one.row === row ? { ...through(one, points), facing } : one));
    this.touched();
  }

  /** Sets the height at which a model ends; null: none. */
  lift(row: number, height: number | null): void {
    this.moved = this.moved.map((one) => (one.row === row ? lifted(one, height) : one));
    this.touched();
  }

  turn(row: number, facing: number): void {
    const one = this.moved.find((each) => each.row === row);
    if (one) this.set(row, one.points, facing);
  }

  wayPoint(row: number, at: XY): void {
    const one = this.moved.find((each) => each.row === row);
    if (one) this.set(row, [...one.points, at], one.facing);
  }

  /** Adds a corner to the ways of all of them, so that their middle passes through a point. */
  wayPoints(rows: number[], at: XY): void {
    const going = this.moved.filter((one) => rows.includes(one.row));
    const ends = new Map(going.flatMap((one): [number, XY][] => (endOf(one) ? [[one.row, lastOf(one)]] : [])));
    const [x, y] = centre([...ends.values()]);
    this.moved = this.moved.map((one) => {
      const end = ends.get(one.row);
      if (!end) return one;
      return through(one, [...one.points, [rounded(end[0] + at[0] - x), rounded(end[1] + at[1] - y)]]);
    });
    this.touched();
  }

  /** Moves several models at once, each to where it stands now. */
  setAll(at: Map<number, { x: number; y: number; facing: number }>): void {
    this.moved = this.moved.map((one) => {
      const end = at.get(one.row);
      return end ? { ...through(one, [...one.points.slice(0, -1), [end.x, end.y]]), facing: end.facing } : one;
    });
    this.touched();
  }

  /** Removes a model's last way-point. */
  unpoint(row: number): void {
    const one = this.moved.find((each) => each.row === row);
    if (one) this.set(row, one.points.slice(0, -1), one.facing);
  }

  /** The last request to the planner, until it replies. */
  protected planning: Promise<boolean> | null = null;

  /** Has the server's planner bring the models near their wanted places. Resolves to whether it, or a later wish, found a way. */
  wish(wish: Wish[], formation: Formation | null = null): Promise<boolean> {
    const planning: Promise<boolean> = this.plan(wish, formation).then((isFound) => {
      if (this.planning && this.planning !== planning) return this.planning;
      this.planning = null;
      return isFound;
    });
    this.planning = planning;
    return planning;
  }

  private async plan(wish: Wish[], formation: Formation | null): Promise<boolean> {
    if (!this.sheet || !wish.length) return false;
    const turn = ++this.tries;
    clearTimeout(this.timer);
    this.isChecking = true;
    const kept = !formation && this.isKept(wish) ? (this.current ?? null) : null;
    const how = formation ? { formation: formation.name, spacing: formation.spacing } : {};
    const path = this.path.answers;
    const reply = await this.battle.ask({ do: 'plan', question: this.question, wish, kept, path, ...how });
    if (turn !== this.tries) return false;
    this.isChecking = false;
    if (reply?.is !== 'planned') {
      this.touched();
      return false;
    }
    if (reply.sheet) this.exchanged(reply.instead ?? null, reply.sheet);
    if (reply.answer != null) this.moved = answered(this.moved, this.sheet, reply.answer);
    this.behind = reply.refusal || this.kind !== 'move' ? [] : lagging(wish, this.moved);
    this.refusal = reply.refusal ?? null;
    this.forecast = reply.forecast ?? null;
    this.foretold = reply.foretold ?? [];
    this.proposed = reply.text ?? '';
    return !this.refusal;
  }

  /** The answer before this question becomes another, and this question with it: the models come so far only then. */
  protected abstract exchanged(answer: Plain, sheet: Sheet): void;

  /** Whether the other models keep their places and do not come along. */
  protected isKept(wish: Wish[]): boolean {
    const rows = new Set(wish.map(([row]) => row));
    const others = this.moved.filter((one) => !rows.has(one.row));
    return rows.size === 1 || others.some(isMoved);
  }

  /** Moves all the models to a point, in their present or proposed arrangement. */
  wishAbout(at: XY): Promise<boolean> {
    return this.formation && this.mayForm ? this.form(this.formation, at) : this.wish(roundAbout(this.laid(), at));
  }

  /** The models as they stand, or as proposed while some of them stand nowhere. */
  private laid(): Moved[] {
    const proposed = this.sheet?.proposal;
    const isWaiting = this.moved.some((one) => !endOf(one));
    return isWaiting && this.sheet && proposed != null ? answered(this.moved, this.sheet, proposed) : this.moved;
  }

  get mayForm(): boolean {
    return this.kind === 'place' && this.moved.length > 1;
  }

  /** Puts all the models in formation: about a point, or about their present or proposed place. Whether there is room. */
  async form(formation: Formation, at: XY | null = null, facing: number | null = null): Promise<boolean> {
    this.formation = formation;
    const ends = this.laid().flatMap((one) => endOf(one) ?? []);
    const [x, y] = at ?? centre(ends.map((end): XY => [end.x, end.y]));
    const first = this.moved[0];
    if (!this.mayForm || !first || (!at && !ends.length)) return false;
    return this.wish([[first.row, rounded(x), rounded(y), facing ?? ends[0]?.facing ?? null]], formation);
  }

  /** Whether the player chooses the width of the aim. */
  get isSized(): boolean {
    return this.kind === 'aim' && Array.isArray(this.sheet?.shown?.diameter);
  }

  /** The least and the greatest width. */
  get sizes(): [number, number] {
    const [least, most] = (this.sheet?.shown?.diameter ?? [0, 0]) as number[];
    return [least ?? 0, most ?? 0];
  }

  protected get widest(): number {
    return this.sizes[1];
  }

  /** The radius of the aim, if the player chooses it. */
  get radius(): number | null {
    return this.isSized ? (this.size ?? this.widest) / 2 : null;
  }

  protected override narrowed(): boolean {
    const most = this.judgedLaid?.most ?? 0;
    if (!this.isSized || !most || (this.size ?? 0) <= most) return false;
    this.resize(most);
    return true;
  }

  resize(to: number): void {
    const [least, most] = this.sizes;
    if (!this.isSized || !Number.isFinite(to)) return;
    this.size = Math.min(most, Math.max(least, Math.round(to * 10) / 10));
    this.touched();
  }

  /** Pushes the aimed point a little on the screen, or the place on a route. Returns whether there is one. */
  push(right: number, up: number): boolean {
    const [dx, dy] = view.step(right, up);
    if (this.kind === 'aim' && this.point) this.aimAt([rounded(this.point[0] + dx), rounded(this.point[1] + dy)]);
    else if (this.kind === 'along') this.goAlong((this.length ?? this.walked) + (right || up));
    else return false;
    return true;
  }

  /** How much of an announced route has been walked; `farthest` is how far the question goes. */
  get walked(): number {
    return Number(this.sheet?.shown?.walked ?? 0);
  }

  get farthest(): number {
    const { route, length } = this.sheet?.shown ?? {};
    return typeof length === 'number' ? length : Array.isArray(route) ? routeLength(route as XY[]) : Infinity;
  }

  goAlong(length: number): void {
    this.length = rounded(Math.min(this.farthest, Math.max(this.walked, length)));
    this.touched();
  }

  aimAt(at: XY, facing: number | null = this.facing): void {
    const route = this.sheet?.shown?.route;
    if (this.kind === 'along' && Array.isArray(route)) return this.goAlong(lengthAt(route as XY[], at));
    if (this.isSized) this.size ??= this.widest;
    this.point = at;
    this.facing = facing;
    this.touched();
  }

  showWhere(refusal: RefusalShown): void {
    const model = this.battle.models[refusal.model ?? -1];
    const at = refusal.where ?? (model && model.where === 'table' ? ([model.x ?? 0, model.y ?? 0] as XY) : null);
    if (at) this.show = { at, n: (this.show?.n ?? 0) + 1 };
  }
}

function lastOf(one: Moved): XY {
  const end = endOf(one);
  return [end?.x ?? 0, end?.y ?? 0];
}
