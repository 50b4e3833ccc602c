import { defineConfig } from 'vitest/config';
import { DaysFirst } from '../../deploy/system-tests/browser/days-first.ts';

// Like web/e2e: one stack for all files, one file at a time. Tests restore the global switches they change.
export default defineConfig({
  test: {
    name: 'admin-pages',
    root: import.meta.dirname,
    include: ['*.test.ts'],
    environment: 'node',
    globalSetup: '../../deploy/system-tests/browser/start-product.ts',
    fileParallelism: false,
    sequence: { sequencer: DaysFirst },
    // Files share modules, so they share the browser too.
    isolate: false,
    testTimeout: 120_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 20_000 } },
  },
});
