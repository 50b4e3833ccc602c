import { defineConfig } from 'vitest/config';

// Tests the rendered chart, and how each process reads the settings it would get. Needs no cluster.
export default defineConfig({
  test: {
    name: 'chart',
    root: import.meta.dirname,
    include: ['*.test.ts'],
    environment: 'node',
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
