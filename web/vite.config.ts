import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vitest/config';

/** What every page needs comes in one piece. */
const COMMON =
  /node_modules\/|src\/lib\/(api|keyboard|keys|names|reading|renewed|route|seats|settings|shell|words)\b|src\/side\/(Broken|Failure|Icon|Rule\w+|SideMark)\./;
const ELSEWHERE = /node_modules\/three\//;

export default defineConfig({
  plugins: [svelte()],
  build: {
    outDir: '../src/campale/server/page',
    // Whoever has the page open goes on with what he has: tools/page.py takes away what is old afterwards.
    emptyOutDir: false,
    target: 'es2022',
    chunkSizeWarningLimit: 600,
    rolldownOptions: {
      output: { codeSplitting: { groups: [{ name: 'common', test: (id) => COMMON.test(id) && !ELSEWHERE.test(id) }] } },
    },
  },
  server: { proxy: { '/api': { target: 'http://127.0.0.1:8240', ws: true } } },
  test: { include: ['tests/**/*.test.ts'], setupFiles: ['tests/setup.ts'] },
});
