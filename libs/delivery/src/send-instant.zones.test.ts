import { expect, test } from 'vitest';
import { wrongInstants } from '../test/every-instant.ts';

test('in every zone, the send instant is when the wall clock first shows the hour, else the first instant after it: every date and hour of 2026 and 2027', () => {
  expect(wrongInstants()).toEqual([]);
}, 120_000);
