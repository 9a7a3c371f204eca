/** Two players at one page: when to hand it over before it shows a question. */

export interface Asked {
  /** The side with the question. */
  side: number | null;
  /** What this seat may see and the page hides; "secret" hides the question, too. */
  veil: string;
  /** Whose turn it is. */
  turn: number | null;
}

/** Why the page must be handed over; null: it need not be. */
export type Why = 'secret' | 'turn' | null;

export class Hands {
  /** The side that had its turn when the page was last handed over for a turn. */
  private turn = $state<number | null>(null);

  why({ side, veil, turn }: Asked, isForTurns: boolean): Why {
    if (veil === 'secret') return 'secret';
    return isForTurns && side !== null && turn === side && this.turn !== turn ? 'turn' : null;
  }

  /** The player with the question has the page now. */
  taken({ side, turn }: Asked): void {
    if (turn === side) this.turn = turn;
  }
}
