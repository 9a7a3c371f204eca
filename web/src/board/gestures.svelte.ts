/** What pointers do on the board: tap, drag models, pan, pinch, measure, turn, select with a box. */

import type { XY } from '../lib/geometry';
import type { View } from '../battle/view.svelte';
import type { Hand } from './hand.svelte';

const FAR_ENOUGH = 4;
/** What a finger would hide while doing it. */
const FINE = ['carry', 'lift', 'turn', 'aim', 'measure', 'slide', 'size'];

type Mode = 'press' | 'pan' | 'carry' | 'lift' | 'measure' | 'turn' | 'box' | 'aim' | 'slide' | 'size' | 'pinch';

/** What lies under a pointer. */
export interface Under {
  row: number;
  isHandle: boolean;
  turns: number;
  /** A thing that is dragged on its own: a bead to its place, the edge of a circle. */
  drags: 'slide' | 'size' | null;
}

export interface Host {
  tap(row: number, at: XY, event: PointerEvent): void;
  boxed(from: XY, to: XY, isMore: boolean): void;
  /** The models that follow when one of them, or the handle (-1), is dragged. */
  carried(row: number, isWhole: boolean): number[];
  /** Takes up a model without an open move question; resolves to whether it may move. Null: this drag is not about it. */
  lifts(row: number): Promise<boolean> | null;
  measure(from: XY, to: XY): void;
  /** Whether a drag from here sets the direction of the aim. */
  aims(from: XY, to: XY | null): boolean;
  /** Drags the aim, or the bead on a route, to a point. */
  slides(to: XY): void;
  /** Drags the edge of the aimed circle to a point. */
  sizes(to: XY): void;
}

export class Gestures {
  mode = $state.raw<Mode | null>(null);
  box = $state.raw<[XY, XY] | null>(null);
  /** Whether the last gesture was a finger's, and where on the screen the finger hides what it moves. */
  isTouch = $state(false);
  finger = $state.raw<XY | null>(null);
  isSpace = false;
  private readonly touches = new Map<number, XY>();
  private start: XY = [0, 0];
  private last: XY = [0, 0];
  private from: XY = [0, 0];
  private under: Under = { row: -1, isHandle: false, turns: -1, drags: null };
  private apart = 1;
  /** How often a model was taken up before its move question, and where the last one was let go meanwhile. */
  private lifts = 0;
  private released: XY | null = null;

  constructor(
    private readonly view: View,
    private readonly hand: Hand,
    private readonly host: Host,
  ) {}

  /** The model under the pointer when it went down, or -1. */
  get grabbed(): number {
    return this.under.row;
  }

  down(event: PointerEvent, at: XY, under: Under): void {
    this.touches.set(event.pointerId, at);
    if (this.touches.size === 2) return this.pinch();
    if (this.touches.size > 2) return;
    this.isTouch = event.pointerType === 'touch';
    this.start = this.last = at;
    this.from = this.view.at(...at);
    this.under = under;
    const isRuler = event.button === 0 && (event.ctrlKey || event.metaKey || this.view.tools.ruler);
    if (event.button !== 0 || this.isSpace) this.mode = 'pan';
    else if (isRuler) this.mode = 'measure';
    else if (under.turns >= 0) this.mode = 'turn';
    else if (under.drags) this.mode = under.drags;
    else this.mode = 'press';
  }

  move(event: PointerEvent, at: XY): void {
    if (!this.touches.has(event.pointerId)) return;
    this.touches.set(event.pointerId, at);
    if (this.mode === 'pinch') return this.pinched();
    const isFar = Math.hypot(at[0] - this.start[0], at[1] - this.start[1]) >= FAR_ENOUGH;
    if (this.mode === 'press' && isFar) this.begin(event);
    if (isFar || this.mode !== 'measure') this.go(at);
    this.last = at;
    this.finger = this.isTouch && FINE.includes(this.mode ?? '') ? at : null;
  }

  /** A press becomes a drag. */
  private begin(event: PointerEvent): void {
    const { row, isHandle } = this.under;
    const carried = isHandle || row >= 0 ? this.host.carried(isHandle ? -1 : row, isHandle || event.shiftKey) : [];
    if (carried.length) {
      this.mode = 'carry';
      this.hand.take(carried, this.from, isHandle ? carried[0] : row);
    } else if (event.shiftKey) this.mode = 'box';
    else if (!this.lift(row)) this.mode = this.host.aims(this.from, null) ? 'aim' : 'pan';
  }

  /** Takes up a model before its move question opens: once it does, the drag goes on, or ends where the model was let go. */
  private lift(row: number): boolean {
    const asked = row < 0 ? null : this.host.lifts(row);
    if (!asked) return false;
    this.mode = 'lift';
    this.released = null;
    const turn = ++this.lifts;
    void asked.then((may) => turn === this.lifts && this.lifted(row, may));
    return true;
  }

  private lifted(row: number, may: boolean): void {
    const to = this.released ?? this.last;
    const isHeld = this.mode === 'lift';
    const rows = may && (isHeld || this.released) ? this.host.carried(row, false) : [];
    if (isHeld) this.mode = rows.length ? 'carry' : null;
    if (!rows.length) return;
    this.hand.take(rows, this.from, row);
    this.hand.drag(this.view.at(...to));
    if (this.released) void this.hand.drop();
  }

  private go(at: XY): void {
    const point = this.view.at(...at);
    if (this.mode === 'pan') this.view.pan(at[0] - this.last[0], at[1] - this.last[1]);
    else if (this.mode === 'carry') this.hand.drag(point);
    else if (this.mode === 'measure') this.host.measure(this.from, point);
    else if (this.mode === 'turn') this.hand.face(this.under.turns, point);
    else if (this.mode === 'box') this.box = [this.from, point];
    else if (this.mode === 'aim') this.host.aims(this.from, point);
    else if (this.mode === 'slide') this.host.slides(point);
    else if (this.mode === 'size') this.host.sizes(point);
  }

  up(event: PointerEvent, at: XY): void {
    this.touches.delete(event.pointerId);
    this.finger = null;
    const mode = this.mode;
    if (mode === 'pinch') {
      if (!this.touches.size) this.mode = null;
      return;
    }
    this.mode = null;
    const isFar = Math.hypot(at[0] - this.start[0], at[1] - this.start[1]) >= FAR_ENOUGH;
    if (mode === 'carry') void this.hand.drop();
    else if (mode === 'lift') this.released = at;
    else if (mode === 'box' && this.box) this.host.boxed(...this.box, true);
    else if (mode === 'press' || (mode === 'measure' && !isFar)) this.host.tap(this.under.row, this.from, event);
    this.box = null;
  }

  /** Sets a way-point where the models in the hand are now. */
  wayPoint(): boolean {
    if (this.mode !== 'carry') return false;
    this.hand.wayPoint(this.view.at(...this.last));
    return true;
  }

  cancel(event?: PointerEvent): void {
    if (event) this.touches.delete(event.pointerId);
    else this.touches.clear();
    this.hand.let();
    this.lifts++;
    this.mode = null;
    this.box = this.finger = null;
  }

  /** A second finger: ends what the first one did. */
  private pinch(): void {
    this.hand.let();
    this.lifts++;
    this.box = this.finger = null;
    this.mode = 'pinch';
    [this.last, this.apart] = this.fingers();
  }

  private pinched(): void {
    if (this.touches.size < 2) return;
    const [centre, apart] = this.fingers();
    this.view.pan(centre[0] - this.last[0], centre[1] - this.last[1]);
    this.view.zoom(apart / this.apart, ...centre);
    [this.last, this.apart] = [centre, apart];
  }

  private fingers(): [XY, number] {
    const [a = [0, 0], b = [0, 0]] = [...this.touches.values()];
    return [[(a[0] + b[0]) / 2, (a[1] + b[1]) / 2], Math.max(1, Math.hypot(a[0] - b[0], a[1] - b[1]))];
  }
}
