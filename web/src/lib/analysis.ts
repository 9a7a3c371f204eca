/** What an analysis of a battle that is over tells. */

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

/** How much a reason comes to (`lost-less`: of what is lost). */
export function much(decision: Decision, reason: string): number {
  const known = { lost: decision.lost, taken: decision.taken, score: decision.score, won: decision.won };
  return Math.abs(known[reason.split('-')[0] as keyof typeof known] ?? 0);
}

/** Whether it cost some of the chance to win at once: then points say little. */
export function decides({ won }: Decision): boolean {
  return won >= 0.1;
}

/** Of what was to be looked at, how much was: a glance counts as one, a closer look as many. */
const CLOSER = 6;

export function progress({ glanced, of, looked, closer }: AnalysisShown): { done: number; of: number } {
  const wanted = closer || Math.min(of, 20);
  return { done: glanced + CLOSER * looked, of: of + CLOSER * wanted };
}
