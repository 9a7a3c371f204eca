/** What the keys do on the board. */

import { FORMATIONS } from '../answers/ways';
import type { Scene } from '../battle/battle.svelte';
import type { Draft } from '../battle/draft.svelte';
import { view } from '../battle/view.svelte';
import { standing } from './drawing';
import type { Gestures } from './gestures.svelte';
import type { Hand } from './hand.svelte';

export interface Around {
  hand: Hand;
  gestures: Gestures;
  battle: () => Scene;
  draft: () => Draft | null;
  isFocused: () => boolean;
  lifts: (row: number) => Promise<boolean> | null;
}

type Does = (event: KeyboardEvent) => boolean | void;

const STEP = 0.1;
const PUSH = 1;
const TURN = 15;
const PANNED = 60;

/** Keyed by the ids of `lib/keys.ts`. */
export function actions(around: Around): Record<string, Does> {
  const { hand, gestures } = around;
  /** What the keys move: the selected models, or only the focused one if it is not among them. */
  const chosen = () => {
    const isAlone = hand.mayMove(view.focused) && !view.selected.includes(view.focused);
    return isAlone || !view.selected.length ? [view.focused] : view.selected;
  };

  const nudge =
    (dx: number, dy: number, by: number): Does =>
    () => {
      if (!around.isFocused()) return false;
      if (around.draft()?.push(dx * by, dy * by)) return true;
      const rows = chosen().filter((row) => hand.mayMove(row));
      if (rows.length) hand.nudge(rows, ...view.step(dx * by, dy * by));
      else void lift(dx, dy, by);
      return true;
    };

  /** A step of a model without an open move question starts its whole unit's move, if it can; otherwise it pans the table. */
  async function lift(dx: number, dy: number, by: number): Promise<void> {
    const asked = view.focused < 0 ? null : around.lifts(view.focused);
    if (!(await asked)) return view.pan(-dx * PANNED, dy * PANNED);
    view.select(hand.all);
    hand.nudge(hand.all, ...view.step(dx * by, dy * by));
  }

  const turn =
    (by: number): Does =>
    () => {
      const own = hand.isBusy ? hand.rows : chosen().filter((row) => hand.mayMove(row));
      const rows = own.length || !hand.isPlacing ? own : hand.all;
      if (!rows.length) return false;
      hand.turn(by, rows);
      return true;
    };

  const beside =
    (by: number): Does =>
    () => {
      const all = standing(around.battle().models);
      const row = around.isFocused() && view.focused >= 0 ? view.focused : view.row;
      const now = all.find((one) => one.row === row);
      const own = all.filter((one) => !now || one.unit === now.unit);
      const next = own[(own.findIndex((one) => one.row === now?.row) + by + own.length) % own.length];
      if (!next) return false;
      view.select([next.row]);
      around.draft()?.select(view.selected);
      document.querySelector<SVGElement>(`.board [data-row="${next.row}"]`)?.focus();
      return true;
    };

  return {
    'nudge.left': nudge(-1, 0, STEP),
    'nudge.right': nudge(1, 0, STEP),
    'nudge.up': nudge(0, 1, STEP),
    'nudge.down': nudge(0, -1, STEP),
    'push.left': nudge(-1, 0, PUSH),
    'push.right': nudge(1, 0, PUSH),
    'push.up': nudge(0, 1, PUSH),
    'push.down': nudge(0, -1, PUSH),
    'turn.left': turn(-TURN),
    'turn.right': turn(TURN),
    formation: () => {
      const draft = around.draft();
      if (!draft?.mayForm) return false;
      const next = FORMATIONS[(FORMATIONS.indexOf(draft.formation?.name ?? '') + 1) % FORMATIONS.length] ?? '';
      void draft.form({ name: next, spacing: draft.formation?.spacing ?? null });
      return true;
    },
    waypoint: () => gestures.wayPoint(),
    'model.previous': beside(-1),
    'model.next': beside(1),
    ruler: () => {
      view.toggle('ruler');
      view.ruler = null;
    },
    rings: () => view.toggle('rings'),
    sight: () => view.toggle('sight'),
    card: () => view.toggle('card'),
    odds: () => (view.row >= 0 ? view.toggle('odds') : false),
    eye: () => (view.row >= 0 ? view.toggle('eye') : false),
    'zoom.in': () => view.zoom(1.25),
    'zoom.out': () => view.zoom(0.8),
    'zoom.all': () => view.fit(),
    cancel: () => {
      if (gestures.mode) {
        gestures.cancel();
        return around.draft()?.isLifted ? around.draft()?.cancel() : true;
      }
      if (view.ruler || view.tools.ruler) {
        view.ruler = null;
        view.tools.ruler = false;
        return true;
      }
      return false;
    },
  };
}
