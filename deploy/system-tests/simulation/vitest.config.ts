import { defineConfig } from 'vitest/config';

// Simulates weeks of the whole product, one test at a time.
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
