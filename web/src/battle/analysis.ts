/** What the analysis of a finished battle tells. */

/** A decision that cost something, and what would have been better. */
export interface Decision {
  at: number;
  when: string;
  played: string[];
  better: string[];
  loss: number;
  doubt: number;
  lucks: number;
  lost: number;
  taken: number;
  score: number;
  won: number;
  reasons: string[];
}

export interface AnalysisShown {
  glanced: number;
  of: number;
  looked: number;
  closer: number;
  is_running: boolean;
  decisions: Decision[];
  has_broken: boolean;
}

/** The size of a reason (`lost-less`: by the losses). */
export function much(decision: Decision, reason: string): number {
  const known = { lost: decision.lost, taken: decision.taken, score: decision.score, won: decision.won };
  return Math.abs(known[reason.split('-')[0] as keyof typeof known] ?? 0);
}

/** Whether it cost some of the chance to win: points hardly matter then. */
export function decides({ won }: Decision): boolean {
  return won >= 0.1;
}

/** How much of the analysis is done: a glance counts as one, a closer look as several. */
const CLOSER = 6;

export function progress({ glanced, of, looked, closer }: AnalysisShown): { done: number; of: number } {
  const wanted = closer || Math.min(of, 20);
  return { done: glanced + CLOSER * looked, of: of + CLOSER * wanted };
}
