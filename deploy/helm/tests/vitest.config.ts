import { defineConfig } from 'vitest/config';

// The chart as helm renders it, and what each process makes of the settings that it would get. Needs no cluster.
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
