import { defineConfig } from 'vitest/config';

// Not part of `npm test`: 200 requests per second next to a batch of texts need the whole machine.
// vitest run --config deploy/system-tests/rolling/vitest.config.ts
export default defineConfig({
  test: {
    name: 'rolling',
    root: import.meta.dirname,
    include: ['*.test.ts'],
    environment: 'node',
  },
});
