import { describe, expect, test } from 'vitest';
import { foretold } from '../src/answers/foretold';
import { rolledBefore } from '../src/answers/rolled';
import type { DiceShown, ForetoldShown, Line, Sheet } from '../src/net/wire';

const note = (text: string): ForetoldShown => ({ text, rule: { id: '3.1.2/difficult', title: 'Difficult' } });
const sheet: Sheet = { kind: 'move', prompt: 'move', side: 0, title: 'Where to?', foretold: [note('through the wood')] };
const draft = (more: Partial<Parameters<typeof foretold>[0]> = {}) => ({ sheet, foretold: null, refusal: null, ...more });

describe('notes about an answer', () => {
  test('are those of the proposal while nothing has been judged', () => {
    expect(foretold(draft())).toEqual({ notes: [note('through the wood')], isOfProposal: true });
    expect(foretold(draft({ sheet: { ...sheet, foretold: [] } })).notes).toEqual([]);
  });

  test('are those of the draft once it has been judged, and no longer of the proposal', () => {
    const told = foretold(draft({ foretold: [note('through the bog')] }));
    expect(told).toEqual({ notes: [note('through the bog')], isOfProposal: false });
    expect(foretold(draft({ foretold: [] })).notes).toEqual([]);
  });

  test('are left out for a refused answer', () => {
    expect(foretold(draft({ foretold: [note('through the bog')], refusal: { text: 'too far' } })).notes).toEqual([]);
  });
});

describe('the roll before a question', () => {
  const dice = (why: string, ...faces: number[]): DiceShown => ({ why, sides: 6, faces });
  const line = (side: number, rolled?: DiceShown): Line => ({ text: `${side}`, side, dice: rolled ?? null });

  test('is the last line, if it has dice', () => {
    expect(rolledBefore([])).toEqual([]);
    expect(rolledBefore([line(0, dice('Save', 3)), line(0)])).toEqual([]);
    const last = line(0, dice('Save', 3));
    expect(rolledBefore([line(1), last])).toEqual([last]);
  });

  test('of a roll-off has both sides’ dice, one’s own with the other’s', () => {
    const both = [line(0, dice('Initiative', 3)), line(1, dice('Initiative', 5))];
    expect(rolledBefore([line(0, dice('Initiative', 2)), ...both])).toEqual(both);
  });

  test('is one line alone if the line before is of another kind, of the same side, or a handful of dice', () => {
    const last = line(1, dice('Initiative', 5));
    expect(rolledBefore([line(0, dice('Save', 3)), last])).toEqual([last]);
    expect(rolledBefore([line(1, dice('Initiative', 3)), last])).toEqual([last]);
    const pool = line(1, dice('To hit', 5, 6));
    expect(rolledBefore([line(0, dice('To hit', 3)), pool])).toEqual([pool]);
  });
});
