import { defineConfig } from 'vitest/config';

// Not part of `npm test`: 200 requests a second beside a batch of texts need the machine to themselves.
// vitest run --config deploy/system-tests/rolling/vitest.config.ts
export default defineConfig({
  test: {
    name: 'rolling',
    root: import.meta.dirname,
    include: ['*.test.ts'],
    environment: 'node',
  },
});
