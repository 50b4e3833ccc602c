import { defineConfig } from 'vitest/config';

// Weeks of the whole product, one after the other; they wait for the clock more than they work.
export default defineConfig({
  test: {
    name: 'simulation',
    root: import.meta.dirname,
    include: ['*.test.ts'],
    environment: 'node',
    fileParallelism: false,
    testTimeout: 600_000,
    hookTimeout: 300_000,
  },
});
