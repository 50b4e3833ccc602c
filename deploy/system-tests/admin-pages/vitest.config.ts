import { defineConfig } from 'vitest/config';

// As in pages/: one stack for all files, one file at a time. A test that moves a switch of the whole product puts it back.
export default defineConfig({
  test: {
    name: 'admin-pages',
    root: import.meta.dirname,
    include: ['*.test.ts'],
    environment: 'node',
    globalSetup: '../pages/start-product.ts',
    fileParallelism: false,
    testTimeout: 120_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 20_000 } },
  },
});
