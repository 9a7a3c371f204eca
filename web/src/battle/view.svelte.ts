/** The view of the table: which part of it, the selection, the tools. None of it goes to the server. */

import type { XY } from '../lib/geometry';
import type { LaidShown, TableShown } from '../net/wire';

export interface Tools {
  rings: boolean;
  sight: boolean;
  ruler: boolean;
  card: boolean;
  eye: boolean;
  names: boolean;
  odds: boolean;
}

export type Tool = keyof Tools;

const CLOSEST = 9;
/** Room for the numbers of the grid beside the table, as a share of its longer side. */
const MARGIN = 0.075;
const RAIL = 54;
const EDGE = 24;
const NARROW = 560;
/** A table is turned if that draws it so many times larger; one that is longer than wide by as much is long. */
const WORTH = 1.1;

export class View {
  /** The middle of the view, in units of the table, and the number of pixels per unit. */
  x = $state(0);
  y = $state(0);
  scale = $state(10);
  width = $state(800);
  height = $state(600);
  table = $state.raw<TableShown>({ width: 1, depth: 1, unit: 'inch', grid: 6 });
  isFitted = $state(true);

  selected = $state.raw<number[]>([]);
  hovered = $state(-1);
  focused = $state(-1);
  flashed = $state.raw<number[]>([]);
  /** The template laid on the table last, or that of the clicked line. */
  laid = $state.raw<LaidShown | null>(null);
  tools = $state<Tools>({ rings: false, sight: false, ruler: false, card: true, eye: false, names: true, odds: false });
  /** Alt is held: everything has its name, and the model under the pointer shows its rings. */
  isPeeking = $state(false);
  ruler = $state.raw<{ from: XY; to: XY; rows: [number, number] } | null>(null);

  private flashing: ReturnType<typeof setTimeout> | undefined;

  /** The first selected model, or -1. */
  get row(): number {
    return this.selected[0] ?? -1;
  }

  /** The size of a pixel in units of the table. */
  get pixel(): number {
    return 1 / this.scale;
  }

  /** Whether the table is drawn with its left edge on top, because that fills an upright screen better. */
  get isTurned(): boolean {
    const { width, depth } = this.table;
    return this.scaleFor(depth, width) > WORTH * this.scaleFor(width, depth);
  }

  get isLong(): boolean {
    const { width, depth } = this.table;
    return Math.max(width, depth) > WORTH * Math.min(width, depth);
  }

  /** The width and height of the drawn table, in its units. */
  get extent(): XY {
    const { width, depth } = this.table;
    return this.isTurned ? [depth, width] : [width, depth];
  }

  /** The transform from the picture of an unturned table to that of a turned one. */
  get turning(): string {
    return this.isTurned ? `translate(${this.table.depth} 0) rotate(90)` : '';
  }

  /** The transform of a part of a turned picture back to the screen: its contents use the coordinates of `drawn`. */
  get level(): string {
    return this.isTurned ? `rotate(-90) translate(${-this.table.depth} 0)` : '';
  }

  /** The transform that keeps a drawing about a point upright: it goes after the translation. */
  get upright(): string {
    return this.isTurned ? 'rotate(-90)' : '';
  }

  /** From the table to the screen, in units of the table: to the right, and down. */
  drawn([x, y]: XY): XY {
    return this.isTurned ? [y, x] : [x, this.table.depth - y];
  }

  private undrawn([right, down]: XY): XY {
    return this.isTurned ? [down, right] : [right, this.table.depth - down];
  }

  /** A step on the screen, to the right and up, as a step on the table. */
  step(right: number, up: number): XY {
    return this.isTurned ? [-up, right] : [right, up];
  }

  get box(): string {
    const [wide, high] = [this.width / this.scale, this.height / this.scale];
    const [right, down] = this.drawn([this.x, this.y]);
    return `${right - wide / 2} ${down - high / 2} ${wide} ${high}`;
  }

  /** The part of the board that the tools cover, in pixels: at its left, or on top if the board is narrow. */
  private get rail(): XY {
    return this.width < NARROW ? [0, RAIL] : [RAIL, 0];
  }

  private scaleFor(wide: number, high: number): number {
    const [left, top] = this.rail;
    const room = MARGIN * Math.max(wide, high);
    return Math.max(0.1, Math.min((this.width - left) / (wide + room), (this.height - top) / (high + room)));
  }

  private get fitting(): number {
    return this.scaleFor(...this.extent);
  }

  /** Whether much of the table is out of sight. */
  get isClose(): boolean {
    return this.scale > this.fitting * 1.4;
  }

  lay(table: TableShown): void {
    const isNew = table.width !== this.table.width || table.depth !== this.table.depth;
    this.table = table;
    if (isNew || this.isFitted) this.fit();
  }

  resize(width: number, height: number): void {
    this.width = Math.max(1, width);
    this.height = Math.max(1, height);
    if (this.isFitted) this.fit();
  }

  fit(): void {
    const [left, top] = this.rail;
    const [wide, high] = this.extent;
    this.scale = this.fitting;
    [this.x, this.y] = this.undrawn([(wide - left / this.scale) / 2, (high - top / this.scale) / 2]);
    this.isFitted = true;
  }

  /** The point of the table at a place of the screen, given in pixels from the corner of the board. */
  at(px: number, py: number): XY {
    const [right, down] = this.drawn([this.x, this.y]);
    return this.undrawn([right + (px - this.width / 2) / this.scale, down + (py - this.height / 2) / this.scale]);
  }

  /** The place on the screen of a point of the table, in pixels from the corner of the board. */
  pixelsOf(at: XY): XY {
    const [[right, down], [x, y]] = [this.drawn(at), this.drawn([this.x, this.y])];
    return [(right - x) * this.scale + this.width / 2, (down - y) * this.scale + this.height / 2];
  }

  /** Moves the view so that a point of the table lies at a place of the screen. */
  private hold(at: XY, px: number, py: number): void {
    const [right, down] = this.drawn(at);
    [this.x, this.y] = this.undrawn([
      right - (px - this.width / 2) / this.scale,
      down - (py - this.height / 2) / this.scale,
    ]);
  }

  zoom(by: number, px = this.width / 2, py = this.height / 2): void {
    const at = this.at(px, py);
    const least = this.fitting;
    this.scale = Math.min(least * CLOSEST, Math.max(least * 0.8, this.scale * by));
    this.hold(at, px, py);
    this.isFitted = false;
    this.keepNear();
  }

  pan(px: number, py: number): void {
    this.hold([this.x, this.y], this.width / 2 + px, this.height / 2 + py);
    this.isFitted = false;
    this.keepNear();
  }

  /** Moves the middle of the view to a place of the picture. */
  moveTo(right: number, down: number): void {
    [this.x, this.y] = this.undrawn([right, down]);
  }

  private keepNear(): void {
    this.x = Math.min(this.table.width, Math.max(0, this.x));
    this.y = Math.min(this.table.depth, Math.max(0, this.y));
  }

  centre(at: XY): void {
    [this.x, this.y] = at;
    this.scale = Math.max(this.scale, this.fitting * 1.8);
    this.isFitted = false;
    this.keepNear();
  }

  select(rows: number[], isMore = false): void {
    const others = this.selected.filter((row) => !rows.includes(row));
    const isAway = isMore && rows.every((row) => this.selected.includes(row));
    this.selected = isAway ? others : isMore ? [...others, ...rows] : rows;
  }

  /** Whether a place of the table is on the screen, and not at its very edge. */
  isInSight(at: XY): boolean {
    const [px, py] = this.pixelsOf(at);
    return px > EDGE && py > EDGE && px < this.width - EDGE && py < this.height - EDGE;
  }

  /** Another battle: deselects everything of this one. */
  forget(): void {
    this.selected = [];
    this.hovered = this.focused = -1;
    this.flashed = [];
    this.laid = null;
    this.ruler = null;
    Object.assign(this.tools, { rings: false, sight: false, ruler: false, eye: false });
    this.isFitted = true;
  }

  /** Makes models flash for a moment, so that the player finds them; a template stays until something else is shown. */
  flash(rows: number[], laid: LaidShown | null = null): void {
    this.flashed = rows;
    this.laid = laid;
    clearTimeout(this.flashing);
    this.flashing = setTimeout(() => (this.flashed = []), 1600);
  }

  toggle(tool: Tool): void {
    this.tools[tool] = !this.tools[tool];
  }
}

export const view = new View();
