import { expect, test } from 'vitest';
import { wrongInstants } from '../test/every-instant.ts';

test('the send instant is when the wall clock first shows the hour, else the first instant after it: every date and hour of 2026 and 2027 (zones, half 2 of 2)', () => {
  expect(wrongInstants(1, 2)).toEqual([]);
}, 120_000);
