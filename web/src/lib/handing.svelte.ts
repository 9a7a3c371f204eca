/** Two players at one page: when it is to be handed over before a question is shown. */

export interface Asked {
  /** Who is asked. */
  side: number | null;
  /** What the page is not told of what this seat may see; "secret": not the question either. */
  veil: string;
  /** Whose turn it is. */
  turn: number | null;
}

/** Why the page is to be handed over; null: it need not be. */
export type Why = 'secret' | 'turn' | null;

export class Hands {
  /** Whose turn it was when the page was last handed over for one. */
  private turn = $state<number | null>(null);

  why({ side, veil, turn }: Asked, isForTurns: boolean): Why {
    if (veil === 'secret') return 'secret';
    return isForTurns && side !== null && turn === side && this.turn !== turn ? 'turn' : null;
  }

  /** Whoever is asked has the page now. */
  taken({ side, turn }: Asked): void {
    if (turn === side) this.turn = turn;
  }
}
