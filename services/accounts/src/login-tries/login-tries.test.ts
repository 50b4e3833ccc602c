import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createHarness, type Harness } from '../../test/harness.ts';
import { admitTry } from './login-tries.repository.ts';
import { waitAfterMs } from './login-tries.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
});
afterAll(() => harness.close());

describe('The delay after failures', () => {
  it('allows at most ten failed attempts in any fifteen minutes', () => {
    const failedAt: number[] = [];
    let now = 0;
    for (let failures = 1; failures < 300; failures += 1) {
      failedAt.push(now);
      now += waitAfterMs(failures);
    }
    for (const start of failedAt) {
      const within = failedAt.filter((at) => at >= start && at < start + 15 * 60_000);
      expect(within.length).toBeLessThanOrEqual(10);
    }
  });

  it('only grows, up to a day from the hundredth failure on', () => {
    for (let failures = 1; failures < 200; failures += 1)
      expect(waitAfterMs(failures + 1)).toBeGreaterThanOrEqual(waitAfterMs(failures));
    expect(waitAfterMs(1)).toBe(0);
    expect(waitAfterMs(100)).toBe(24 * 60 * 60_000);
  });
});

describe('An attempt', () => {
  it("doesn't wait for a concurrent one, whichever read the clock first", async () => {
    const { db } = harness.deps;
    const wall = Date.now();
    expect(await admitTry(db, 'user:two', new Date(wall))).toBe(0);
    expect(await admitTry(db, 'user:two', new Date(wall - 5))).toBe(0);
  });
});
