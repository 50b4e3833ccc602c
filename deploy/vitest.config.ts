import { defineConfig } from 'vitest/config';

// The tests of the whole start stacks of their own (those of the pages share one, see pages/ and admin-pages/): one file at a time, and with patience.
export default defineConfig({
  test: {
    name: 'system',
    root: import.meta.dirname,
    include: ['system-tests/**/*.test.ts'],
    exclude: ['system-tests/{pages,admin-pages,simulation,rolling}/**'],
    environment: 'node',
    fileParallelism: false,
    testTimeout: 600_000,
    hookTimeout: 300_000,
  },
});
