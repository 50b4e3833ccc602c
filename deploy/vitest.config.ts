import { defineConfig } from 'vitest/config';

// System tests start their own stacks : one file at a time, with long timeouts.
export default defineConfig({
  test: {
    name: 'system',
    root: import.meta.dirname,
    include: ['system-tests/**/*.test.ts'],
    exclude: ['system-tests/{simulation,rolling}/**'],
    environment: 'node',
    fileParallelism: false,
    testTimeout: 600_000,
    hookTimeout: 300_000,
  },
});
