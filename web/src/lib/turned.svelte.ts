/** The card of the turn that has just ended, if it was not one's own. */

import type { Battle } from './battle.svelte';
import { happened, stood, type Happened, type Stood } from './turned';

export class Turned {
  card = $state.raw<Happened | null>(null);
  /** The question that was open when the card came. */
  question = $state(0);
  private before: Stood | null = null;

  constructor(private readonly battle: Battle) {}

  /** Look whether another turn has begun; of what was taken back nothing is told. */
  follow(): void {
    const { battle, before } = this;
    const now = stood(battle);
    if (!now || (before && now.turn === before.turn && now.count >= before.count)) return;
    this.before = now;
    const isOwn = before?.side === battle.side || battle.side === null;
    const isOn = before && now.count >= before.count && !isOwn;
    this.card = isOn ? happened(before, battle, battle.side) : null;
    this.question = battle.question;
  }
}
