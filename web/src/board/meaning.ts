/** What a tap, a drag and a box on the board mean for the open question. */

import type { Draft } from '../battle/draft.svelte';
import { facingTowards, isWithin, type Stance, type XY } from '../lib/geometry';
import type { View } from '../battle/view.svelte';
import type { ModelShown } from '../net/wire';
import { STEM } from './drawing';
import type { Host } from './gestures.svelte';
import type { Hand } from './hand.svelte';

/** The board as it is drawn now. */
export interface Drawn {
  draft: () => Draft | null;
  models: () => ModelShown[];
  shown: () => ModelShown[];
  place: (row: number) => Stance;
  /** What a tap on the ground does, if the page has a use for it; false: nothing. */
  ground?: (at: XY) => boolean;
}

export class Meaning implements Host {
  constructor(
    private readonly view: View,
    private readonly hand: Hand,
    private readonly drawn: Drawn,
  ) {}

  tap(row: number, at: XY, event: { ctrlKey: boolean; shiftKey: boolean }): void {
    const draft = this.drawn.draft();
    if (!this.view.tools.ruler) this.view.ruler = null;
    if ((event.ctrlKey || this.hand.isPointing) && draft?.kind === 'move') return this.hand.point(this.view.selected, at);
    if (draft?.kind === 'aim' || draft?.kind === 'along') return draft.aimAt(at, draft.facing);
    if (draft?.whole && this.isElsewhere(row) && draft.aimWhole(at)) return;
    if (row >= 0) return this.choose(row, event.shiftKey);
    if (this.drawn.ground?.(at)) return;
    if (this.hand.setDown(at, this.drawn.models())) return;
    if (event.shiftKey || (this.mayStandElsewhere() && this.hand.setAnew(at))) return;
    this.select([]);
  }

  /** Whether a tap there is about the ground, or an enemy whom no option names. */
  private isElsewhere(row: number): boolean {
    const draft = this.drawn.draft();
    if (row < 0 || !draft?.whole) return row < 0;
    return this.drawn.models()[row]?.side !== draft.sheet?.side && !draft.isTarget(row);
  }

  /** A pointer passes over the table or leaves it; that chooses nothing. */
  passes(row: number, at: XY | null): void {
    this.drawn.draft()?.hover(at);
    this.drawn.draft()?.hoverModel(row);
  }

  /** Whether a tap on the ground moves the one model set down: nothing else is selected. */
  private mayStandElsewhere(): boolean {
    const placed = this.drawn.draft()?.moved.map((one) => one.row) ?? [];
    return this.view.selected.every((row) => placed.length === 1 && row === placed[0]);
  }

  /** Selects a model, and picks it if that answers something. */
  choose(row: number, isMore: boolean): void {
    const draft = this.drawn.draft();
    if (draft?.canPick(row) && !isMore) draft.pickModel(row);
    this.select([row], isMore);
  }

  select(rows: number[], isMore = false): void {
    this.view.select(rows, isMore);
    this.drawn.draft()?.select(this.view.selected);
  }

  boxed([x0, y0]: XY, [x1, y1]: XY, isMore: boolean): void {
    const box = [Math.min(x0, x1), Math.min(y0, y1), Math.max(x0, x1), Math.max(y0, y1)];
    const isIn = (one: ModelShown) => isWithin({ ...this.drawn.place(one.row), shape: { radius: 0 } }, box);
    const rows = this.drawn.shown().filter(isIn);
    this.select(
      rows.map((one) => one.row),
      isMore,
    );
  }

  carried(row: number, isWhole: boolean): number[] {
    this.drawn.draft()?.takeUp(row);
    const moved = this.drawn.draft()?.moved.map((one) => one.row) ?? [];
    if (row < 0) return moved;
    if (!this.hand.mayMove(row)) return [];
    const models = this.drawn.models();
    const isFresh =
      this.drawn.draft()?.kind === 'move' && !this.drawn.draft()?.isChanged && this.view.selected.length < 2;
    if (isWhole || isFresh) return moved.filter((one) => models[one]?.unit === models[row]?.unit);
    if (!this.view.selected.includes(row)) this.select([row]);
    return this.view.selected;
  }

  lifts(row: number, isQuiet = false): Promise<boolean> | null {
    const draft = this.drawn.draft();
    const side = this.drawn.models()[row]?.side;
    if (!draft?.sheet || draft.isBusy || draft.kind === 'aim' || draft.sheet.side !== side) return null;
    const lifting = import('../answers/lifting').then((part) => part.lift(draft, row, isQuiet));
    draft.doing = lifting;
    const done = (): void => void (draft.doing === lifting && (draft.doing = null));
    lifting.then(done, done);
    return lifting;
  }

  measure(from: XY, to: XY): void {
    this.view.ruler = { from, to, rows: [this.under(from), this.under(to)] };
  }

  /** The model whose base is over a point, or -1. */
  private under([x, y]: XY): number {
    const isOver = (one: ModelShown) => {
      const at = this.drawn.place(one.row);
      return Math.hypot(at.x - x, at.y - y) <= (one.shape?.radius || one.shape?.half?.[0] || 1);
    };
    return this.drawn.shown().find(isOver)?.row ?? -1;
  }

  slides(to: XY): void {
    this.drawn.draft()?.aimAt(to);
  }

  sizes(to: XY): void {
    const draft = this.drawn.draft();
    if (!draft?.point) return;
    // The handle is to the right of the centre: dragged past the centre, it leaves the circle as narrow as it may be.
    draft.resize(2 * (to[0] - draft.point[0] - STEM * this.view.pixel));
  }

  aims(from: XY, to: XY | null): boolean {
    const draft = this.drawn.draft();
    if (draft?.kind !== 'aim' || draft.facing === null) return false;
    if (to) draft.aimAt(from, Math.round(facingTowards(from, to)));
    return true;
  }
}
