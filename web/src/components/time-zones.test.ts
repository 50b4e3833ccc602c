import { afterEach, expect, test, vi } from 'vitest';
import { guessZone } from './time-zones.ts';

afterEach(() => vi.restoreAllMocks());

test.each([
  ['Europe/Berlin', 'Europe/Berlin'],
  ['Asia/Calcutta', 'Asia/Kolkata'],
  ['UTC', ''],
  ['Etc/Unknown', ''],
  [undefined, ''],
])('the guess from a browser in %s is %j', (timeZone, guess) => {
  const options = Intl.DateTimeFormat().resolvedOptions();
  vi.spyOn(Intl.DateTimeFormat.prototype, 'resolvedOptions').mockReturnValue({
    ...options,
    timeZone: timeZone as string,
  });
  expect(guessZone()).toBe(guess);
});
