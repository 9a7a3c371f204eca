/** The template on the board while the player chooses its place, and the models it is known to hit there. */

import type { LaidShown, Option, Sheet } from '../net/wire';
import type { Step } from './path';
import type { XY } from './ways';

/** What a draft tells about placing a template. */
interface Aimed {
  readonly kind: string;
  readonly sheet: Sheet | null;
  readonly hovered: Option | null;
  readonly picked: Option | null;
  readonly point: XY | null;
  readonly judgedLaid: LaidShown | null;
  /** The radius of a circle, if the player chooses its width. */
  readonly radius: number | null;
  /** The fields of a form shown whole. */
  readonly whole?: { readonly steps: readonly Step[] } | null;
}

/** `isUnjudged`: it is not known yet whom it hits. */
export type LaidNow = LaidShown & { isUnjudged?: boolean };

export function laidNow(draft: Aimed): LaidNow | null {
  if (draft.whole) return draft.whole.steps.find(isAim)?.sheet.laid ?? null;
  if (draft.kind === 'choose') return (draft.hovered ?? draft.picked)?.laid ?? null;
  const shape = draft.kind === 'aim' ? draft.sheet?.laid : null;
  if (!shape || !draft.point) return null;
  const judged = draft.judgedLaid;
  return judged && isAt(judged, draft.point, draft.radius) ? judged : brought(shape, draft.point, draft.radius);
}

/** Whether a field of a form shown whole lays a template, which the player may put elsewhere on the table. */
export function isAim({ sheet, isForced }: Step): boolean {
  return sheet.kind === 'aim' && Boolean(sheet.laid) && !isForced;
}

function isAt(laid: LaidShown, [x, y]: XY, radius: number | null): boolean {
  const isAsWide = radius === null || Math.abs((laid.radius ?? 0) - radius) < 0.005;
  return isAsWide && Math.hypot(laid.at[0] - x, laid.at[1] - y) < 0.02;
}

/** The same shape in another place: the server has not said yet whom it hits there. */
export function brought(laid: LaidShown, to: XY, radius: number | null = null): LaidNow {
  const [dx, dy] = [to[0] - laid.at[0], to[1] - laid.at[1]];
  return { at: to, radius: radius ?? laid.radius, outline: laid.outline?.map(([x, y]): XY => [x + dx, y + dy]), under: [], isUnjudged: true };
}
