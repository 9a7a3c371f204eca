import { describe, expect, test } from 'vitest';
import { foretold } from '../src/ask/foretold';
import { rolledBefore } from '../src/ask/rolled';
import type { DiceShown, ForetoldShown, Line, Sheet } from '../src/lib/wire';

const note = (text: string): ForetoldShown => ({ text, rule: { id: '3.1.2/difficult', title: 'Difficult' } });
const sheet: Sheet = { kind: 'move', prompt: 'move', side: 0, title: 'Where to?', foretold: [note('through the wood')] };
const draft = (more: Partial<Parameters<typeof foretold>[0]> = {}) => ({ sheet, foretold: null, refusal: null, ...more });

describe('what an answer would call for', () => {
  test('is told of the proposal while nothing has been judged', () => {
    expect(foretold(draft())).toEqual({ notes: [note('through the wood')], isOfProposal: true });
    expect(foretold(draft({ sheet: { ...sheet, foretold: [] } })).notes).toEqual([]);
  });

  test('is told of the draft once it has been, and not of the proposal any more', () => {
    const told = foretold(draft({ foretold: [note('through the bog')] }));
    expect(told).toEqual({ notes: [note('through the bog')], isOfProposal: false });
    expect(foretold(draft({ foretold: [] })).notes).toEqual([]);
  });

  test('is not told of what is refused', () => {
    expect(foretold(draft({ foretold: [note('through the bog')], refusal: { text: 'too far' } })).notes).toEqual([]);
  });
});

describe('the roll after which something is asked', () => {
  const dice = (why: string, ...faces: number[]): DiceShown => ({ why, sides: 6, faces });
  const line = (side: number, rolled?: DiceShown): Line => ({ text: `${side}`, side, dice: rolled ?? null });

  test('is the last line, where it has dice', () => {
    expect(rolledBefore([])).toEqual([]);
    expect(rolledBefore([line(0, dice('Save', 3)), line(0)])).toEqual([]);
    const last = line(0, dice('Save', 3));
    expect(rolledBefore([line(1), last])).toEqual([last]);
  });

  test('of a roll-off is that of both sides, one’s own with the other’s', () => {
    const both = [line(0, dice('Initiative', 3)), line(1, dice('Initiative', 5))];
    expect(rolledBefore([line(0, dice('Initiative', 2)), ...both])).toEqual(both);
  });

  test('is one alone where the one before is something else, of the same side, or a handful', () => {
    const last = line(1, dice('Initiative', 5));
    expect(rolledBefore([line(0, dice('Save', 3)), last])).toEqual([last]);
    expect(rolledBefore([line(1, dice('Initiative', 3)), last])).toEqual([last]);
    const pool = line(1, dice('To hit', 5, 6));
    expect(rolledBefore([line(0, dice('To hit', 3)), pool])).toEqual([pool]);
  });
});
