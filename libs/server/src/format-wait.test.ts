import { dayMs } from '@daylift/clock/durations';
import { expect, test } from 'vitest';
import { formatWait } from './format-wait.ts';

test.each([
  [0, '1 second'],
  [400, '1 second'],
  [15_000, '15 seconds'],
  [91_000, '2 minutes'],
  [120_000, '2 minutes'],
  [dayMs, '24 hours'],
])('a wait of %d ms reads %s', (waitMs, words) => expect(formatWait(waitMs)).toBe(words));
