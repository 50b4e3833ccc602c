import { defineConfig } from 'vitest/config';

// The tests of the pages share one stack; each makes people of its own. One file at a time: a browser takes its share.
export default defineConfig({
  test: {
    name: 'pages',
    root: import.meta.dirname,
    include: ['*.test.ts'],
    environment: 'node',
    globalSetup: './start-product.ts',
    fileParallelism: false,
    testTimeout: 120_000,
    hookTimeout: 180_000,
    // The default of a second is short for a page that loads anew.
    expect: { poll: { timeout: 20_000 } },
  },
});
