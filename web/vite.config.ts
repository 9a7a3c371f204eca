import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vitest/config';

/** What every page needs comes in one piece. */
const COMMON =
  /node_modules\/|src\/(lib\/(keyboard|keys|reading|route|settings|shell|words)|net\/(api|compiling|renewed|seats)|battle\/names)\b|src\/parts\/(Broken|Failure|Icon|RuleLink|SideMark)\./;
const ELSEWHERE = /node_modules\/three\//;

/** Pieces in the order in which they take what they need. */
const PIECES = ['figures', 'drawing', 'table', 'asking'];

type Known = (id: string) => { importers: string[] } | null;

/** The pages that a module comes with always, and not only when a part of them is wanted. */
function pagesOf(id: string, known: Known, seen = new Set<string>()): Set<string> {
  const page = /src\/pages\/(\w+)\.svelte$/.exec(id)?.[1];
  if (page) return new Set([page]);
  seen.add(id);
  const above = (known(id)?.importers ?? []).filter((one) => !seen.has(one));
  return new Set(above.flatMap((one) => [...pagesOf(one, known, seen)]));
}

/** A table comes in few pieces, which are smaller than many: what it asks, what a replay has too, what other pages have. */
function pieceOf(id: string, known: Known): string | null {
  const pages = pagesOf(id, known);
  if (!id.includes('/src/') || !pages.delete('Battle')) return null;
  if (pages.has('Odds')) return 'figures';
  const isReplayed = pages.delete('Replay');
  if (pages.size) return 'drawing';
  return isReplayed ? 'table' : 'asking';
}

export default defineConfig({
  plugins: [svelte()],
  build: {
    outDir: '../src/campale/server/page',
    // Whoever has the page open goes on with what he has: tools/page.py takes away what is old afterwards.
    emptyOutDir: false,
    target: 'es2022',
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 600,
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: 'common', test: (id) => COMMON.test(id) && !ELSEWHERE.test(id), priority: 9 },
            ...PIECES.map((piece, k) => ({
              name: (id: string, all: { getModuleInfo: Known }) =>
                pieceOf(id, (one) => all.getModuleInfo(one)) === piece ? piece : null,
              priority: PIECES.length - k,
            })),
          ],
        },
      },
    },
  },
  server: { proxy: { '/api': { target: 'http://127.0.0.1:8240', ws: true } } },
  test: { include: ['tests/**/*.test.ts'], setupFiles: ['tests/setup.ts'] },
});
