/** The template that lies on the board while it is chosen where it goes, and whom it hits there as far as is known. */

import type { LaidShown, Option, Sheet } from '../lib/wire';
import type { XY } from './ways';

/** What a draft tells of where something is laid. */
interface Aimed {
  readonly kind: string;
  readonly sheet: Sheet | null;
  readonly hovered: Option | null;
  readonly picked: Option | null;
  readonly point: XY | null;
  readonly judgedLaid: LaidShown | null;
  /** Of a circle, where one chooses how wide it is. */
  readonly radius: number | null;
}

export function laidNow(draft: Aimed): LaidShown | null {
  if (draft.kind === 'choose') return (draft.hovered ?? draft.picked)?.laid ?? null;
  const shape = draft.kind === 'aim' ? draft.sheet?.laid : null;
  if (!shape || !draft.point) return null;
  const judged = draft.judgedLaid;
  return judged && isAt(judged, draft.point, draft.radius) ? judged : brought(shape, draft.point, draft.radius);
}

function isAt(laid: LaidShown, [x, y]: XY, radius: number | null): boolean {
  const isAsWide = radius === null || Math.abs((laid.radius ?? 0) - radius) < 0.005;
  return isAsWide && Math.hypot(laid.at[0] - x, laid.at[1] - y) < 0.02;
}

/** The same shape elsewhere: whom it hits there nobody has said yet. */
export function brought(laid: LaidShown, to: XY, radius: number | null = null): LaidShown {
  const [dx, dy] = [to[0] - laid.at[0], to[1] - laid.at[1]];
  return { at: to, radius: radius ?? laid.radius, outline: laid.outline?.map(([x, y]): XY => [x + dx, y + dy]), under: [] };
}
