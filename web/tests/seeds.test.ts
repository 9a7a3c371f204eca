import { beforeEach, describe, expect, test } from 'vitest';
import { begun, sealed, seedUnder } from '../src/net/seeds';
import { sha256 } from '../src/net/sha256';

describe('sha256', () => {
  const lengths = [0, 1, 3, 54, 55, 56, 57, 63, 64, 65, 119, 120, 300];
  test.each(lengths)('of %i letters is the same as everywhere else', async (length) => {
    for (const text of ['a'.repeat(length), 'è🎲'.repeat(length)]) {
      const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)));
      expect(sha256(text)).toBe(Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join(''));
    }
  });
});

describe('seeds', () => {
  beforeEach(() => begun('b'));

  test('are told only to the seal over them', () => {
    const [one, other] = [sealed('b', 0), sealed('b', 1)];
    expect(one).not.toBe(other);
    expect(sha256(seedUnder(one, 'b', 0)!)).toBe(one);
    expect(seedUnder(other, 'b', 0)).toBeNull();
    expect(seedUnder(one, 'elsewhere', 0)).toBeNull();
  });

  test('are never used twice', () => {
    const before = sealed('b', 0);
    expect(sealed('b', 0)).not.toBe(before);
    expect(seedUnder(before, 'b', 0)).toBeNull();
  });

  test('are forgotten once the battle has begun', () => {
    const seal = sealed('b', 0);
    begun('b');
    expect(seedUnder(seal, 'b', 0)).toBeNull();
  });
});
