import { defineConfig } from 'vitest/config';
import { DaysFirst } from '../../deploy/system-tests/browser/days-first.ts';

// All page tests share one stack, with their own subscribers. One file at a time, because a browser needs CPU.
export default defineConfig({
  test: {
    name: 'pages',
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
    // One second is too short for a page load.
    expect: { poll: { timeout: 20_000 } },
  },
});
