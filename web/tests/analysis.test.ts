import { describe, expect, it } from 'vitest';
import { decides, much, progress, type AnalysisShown, type Decision } from '../src/battle/analysis';

const decision: Decision = {
  at: 7,
  when: 'Turn 1',
  played: ['stays'],
  better: ['fires'],
  loss: 4000,
  doubt: 10,
  lucks: 10,
  lost: -3,
  taken: 5.5,
  score: 0,
  won: 0.09,
  reasons: ['lost-less', 'taken-more', 'position'],
};
const shown: AnalysisShown = { glanced: 0, of: 0, looked: 0, closer: 0, is_running: true, decisions: [], has_broken: false };

describe('an analysis', () => {
  it('gives the size of each reason, without a sign', () => {
    expect(decision.reasons.map((reason) => much(decision, reason))).toEqual([3, 5.5, 0]);
  });

  it('counts a decision as decisive if it cost a tenth of the win chance', () => {
    expect(decides(decision)).toBe(false);
    expect(decides({ ...decision, won: 0.1 })).toBe(true);
  });

  it('goes from nothing to all', () => {
    const shares = [
      { of: 100 },
      { glanced: 50, of: 100 },
      { glanced: 100, of: 100, closer: 20 },
      { glanced: 100, of: 100, looked: 20, closer: 20 },
    ].map((some) => progress({ ...shown, ...some }));
    const parts = shares.map(({ done, of }) => done / of);
    expect(parts[0]).toBe(0);
    expect(parts.at(-1)).toBe(1);
    expect(parts).toEqual([...parts].sort((a, b) => a - b));
  });
});
