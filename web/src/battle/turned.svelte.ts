/** The card of the turn that has just ended, unless it was the viewer's own. */

import type { Battle } from './battle.svelte';
import type { Happened, Seen, Stood } from './turned';

export class Turned {
  card = $state.raw<Happened | null>(null);
  /** The question that was open when the card appeared. */
  question = $state(0);
  private before: Stood | null = null;
  /** Tells the card again, in the present language. */
  private again: (() => Happened) | null = null;

  constructor(private readonly battle: Battle) {}

  /** Checks whether another turn has begun, or the language has changed; after an undo there is no card. */
  follow(): void {
    const { battle, before } = this;
    const now = stood(battle);
    if (!now || (before && now.turn === before.turn && now.count >= before.count)) return this.renew();
    this.before = now;
    const isOwn = before?.side === battle.side || battle.side === null;
    this.card = null;
    if (!before || now.count < before.count || isOwn) return;
    const { models, units, lines, moment, side } = battle;
    void import('./turned').then(({ ended, happened }) => {
      if (this.before !== now) return;
      const then = { models, units, lines, moment };
      this.again = () => happened(before, ended(then, battle), side);
      this.card = this.again();
      this.question = battle.question;
    });
  }

  private renew(): void {
    const told = this.card && this.again?.();
    if (told && JSON.stringify(told) !== JSON.stringify(this.card)) this.card = told;
  }
}

/** The battle as it stands, once its first turn has begun. */
export function stood({ models, lines, moment }: Seen): Stood | null {
  const { standing } = moment;
  if (!standing?.turn) return null;
  return { turn: `${standing.turn} ${standing.side}`, side: standing.side, count: lines.length, models, standing };
}
