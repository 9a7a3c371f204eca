/** How the table is looked at: what part of it, what is selected, what is shown besides. Nothing of it goes to the server. */

import type { XY } from './geometry';
import type { LaidShown, TableShown } from './wire';

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
/** The numbers of the grid stand beside the table: so much room, as a share of its longer side. */
const MARGIN = 0.075;
const RAIL = 54;
const EDGE = 24;
const NARROW = 560;

export class View {
  /** The middle of what is shown, in units of the table, and how many pixels a unit has. */
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
  /** The template that came to lie on the table last, or that of the line that was clicked. */
  laid = $state.raw<LaidShown | null>(null);
  tools = $state<Tools>({ rings: false, sight: false, ruler: false, card: true, eye: false, names: true, odds: false });
  /** Alt is held: everything is named, and what the pointer is on shows its rings. */
  isPeeking = $state(false);
  ruler = $state.raw<{ from: XY; to: XY; rows: [number, number] } | null>(null);

  private flashing: ReturnType<typeof setTimeout> | undefined;

  /** The first selected model, or -1. */
  get row(): number {
    return this.selected[0] ?? -1;
  }

  /** How many units of the table a pixel is. */
  get pixel(): number {
    return 1 / this.scale;
  }

  get box(): string {
    const [wide, high] = [this.width / this.scale, this.height / this.scale];
    return `${this.x - wide / 2} ${this.table.depth - this.y - high / 2} ${wide} ${high}`;
  }

  /** What the tools take of the board, in pixels: at its left, or on top where it is narrow. */
  private get rail(): XY {
    return this.width < NARROW ? [0, RAIL] : [RAIL, 0];
  }

  private get fitting(): number {
    const { width, depth } = this.table;
    const [left, top] = this.rail;
    const room = MARGIN * Math.max(width, depth);
    return Math.max(0.1, Math.min((this.width - left) / (width + room), (this.height - top) / (depth + room)));
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
    this.scale = this.fitting;
    this.x = this.table.width / 2 - left / 2 / this.scale;
    this.y = this.table.depth / 2 + top / 2 / this.scale;
    this.isFitted = true;
  }

  /** Where on the table a place of the screen lies, in pixels from the corner of the board. */
  at(px: number, py: number): XY {
    return [this.x + (px - this.width / 2) / this.scale, this.y - (py - this.height / 2) / this.scale];
  }

  zoom(by: number, px = this.width / 2, py = this.height / 2): void {
    const [x, y] = this.at(px, py);
    const least = this.fitting;
    this.scale = Math.min(least * CLOSEST, Math.max(least * 0.8, this.scale * by));
    this.x = x - (px - this.width / 2) / this.scale;
    this.y = y + (py - this.height / 2) / this.scale;
    this.isFitted = false;
    this.keepNear();
  }

  pan(px: number, py: number): void {
    this.x -= px / this.scale;
    this.y += py / this.scale;
    this.isFitted = false;
    this.keepNear();
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
  isInSight([x, y]: XY): boolean {
    const [px, py] = [(x - this.x) * this.scale + this.width / 2, (this.y - y) * this.scale + this.height / 2];
    return px > EDGE && py > EDGE && px < this.width - EDGE && py < this.height - EDGE;
  }

  /** Another battle: nothing of this one is selected any more. */
  forget(): void {
    this.selected = [];
    this.hovered = this.focused = -1;
    this.flashed = [];
    this.laid = null;
    this.ruler = null;
    Object.assign(this.tools, { rings: false, sight: false, ruler: false, eye: false });
    this.isFitted = true;
  }

  /** Let models flash for a moment, so that one finds them; a template stays until something else is shown. */
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
