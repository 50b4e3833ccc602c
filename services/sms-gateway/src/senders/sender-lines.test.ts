import { expect, it } from 'vitest';
import { createSenderLines } from './sender-lines.ts';

const limits = [{ key: 'sender', count: 4, perMs: 1_000 }];
const idsOf = (batch: string) => Array.from({ length: 1_000 }, (_, index) => `${batch}-${index}`);

it('after a large batch is canceled, the next one does not wait for its texts', () => {
  const lines = createSenderLines();
  const first = lines.enter('+18885557101', limits, idsOf('first'), true);
  expect(first.later.at(-1)?.ms).toBeGreaterThan(100_000);
  lines.leave('+18885557101', [...first.added]);
  const second = lines.enter('+18885557101', limits, idsOf('second'), true);
  expect(second.added.size).toBe(16);
  expect(second.later[0]?.ms).toBeLessThan(2_000);
});
