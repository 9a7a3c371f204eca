/** SHA-256 of a text. Browsers have their own only over a secure connection; a club's network often is not secure. */

const primes = (count: number): number[] => {
  const found: number[] = [];
  for (let n = 2; found.length < count; n++) if (found.every((prime) => n % prime)) found.push(n);
  return found;
};
/** The first 32 bits of the fractional part of a root. */
const fraction = (root: number): number => ((root - Math.floor(root)) * 2 ** 32) | 0;
const ROUNDS = primes(64).map((prime) => fraction(Math.cbrt(prime)));
const START = primes(8).map((prime) => fraction(Math.sqrt(prime)));

const turned = (word: number, by: number): number => (word >>> by) | (word << (32 - by));

/** The text, a bit, zeros up to a whole number of blocks, and its length in bits. */
function padded(text: string): DataView {
  const raw = new TextEncoder().encode(text);
  const view = new DataView(new ArrayBuffer(((raw.length + 72) >> 6) << 6));
  raw.forEach((byte, place) => view.setUint8(place, byte));
  view.setUint8(raw.length, 0x80);
  view.setUint32(view.byteLength - 4, raw.length * 8);
  return view;
}

function scheduled(view: DataView, from: number): number[] {
  const words = Array.from({ length: 16 }, (_, n) => view.getInt32(from + 4 * n));
  for (let n = 16; n < 64; n++) {
    const [early, late] = [words[n - 15]!, words[n - 2]!];
    const one = turned(early, 7) ^ turned(early, 18) ^ (early >>> 3);
    const other = turned(late, 17) ^ turned(late, 19) ^ (late >>> 10);
    words.push((words[n - 16]! + one + words[n - 7]! + other) | 0);
  }
  return words;
}

function mixed(state: number[], words: number[]): number[] {
  let [a, b, c, d, e, f, g, h] = state as [number, number, number, number, number, number, number, number];
  for (const [n, word] of words.entries()) {
    const one = (h + (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) + ((e & f) ^ (~e & g)) + ROUNDS[n]! + word) | 0;
    const other = ((turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + other) | 0];
  }
  return [a, b, c, d, e, f, g, h].map((word, n) => (word + state[n]!) | 0);
}

export function sha256(text: string): string {
  const view = padded(text);
  let state = START;
  for (let from = 0; from < view.byteLength; from += 64) state = mixed(state, scheduled(view, from));
  return state.map((word) => (word >>> 0).toString(16).padStart(8, '0')).join('');
}
