import { describe, expect, test } from 'vitest';
import { Hands, type Asked } from '../src/battle/handing.svelte';

const asked = (side: number, turn: number | null = null, veil = 'open'): Asked => ({ side, turn, veil });

/** Why the page was handed over for each of these questions. */
function whys(all: Asked[], isForTurns = true): (string | null)[] {
  const hands = new Hands();
  return all.map((one) => {
    const why = hands.why(one, isForTurns);
    if (why) hands.taken(one);
    return why;
  });
}

describe('handing over', () => {
  test('at every turn, to the player who begins it', () => {
    expect(whys([asked(0, 0), asked(0, 0), asked(1, 1), asked(0, 0)])).toEqual(['turn', null, 'turn', 'turn']);
  });

  test('not for the other side’s questions within a turn', () => {
    expect(whys([asked(0, 0), asked(1, 0), asked(0, 0), asked(1, 0)])).toEqual(['turn', null, null, null]);
  });

  test('not for a question that is no secret, even if there are secrets', () => {
    expect(whys([asked(0, 1, 'secrets'), asked(1, 0, 'secrets')])).toEqual([null, null]);
  });

  test('not where it is nobody’s turn', () => expect(whys([asked(0), asked(1), asked(0)])).toEqual([null, null, null]));

  test('not for turns if the players do not want that', () => {
    expect(whys([asked(0, 0), asked(1, 1)], false)).toEqual([null, null]);
  });

  test('for every secret, until the player with the question has taken the page', () => {
    expect(whys([asked(0, null, 'secret'), asked(0, null, ''), asked(1, null, 'secret')], false)).toEqual([
      'secret',
      null,
      'secret',
    ]);
  });

  test('once for a secret and a turn that begin together', () => {
    expect(whys([asked(0, 0, 'secret'), asked(0, 0, ''), asked(0, 0, 'secrets')])).toEqual(['secret', null, null]);
  });
});
