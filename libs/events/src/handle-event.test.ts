import { expect, test } from 'vitest';
import { isOutage } from './handle-event.ts';

test.each(['57P03', '08006', '40001', 'ECONNRESET', 'EAI_AGAIN', 'ERR_SSL_WRONG_VERSION_NUMBER'])(
  '%s is an outage, after which an event is tried again for as long as it takes',
  (code) => {
    expect(isOutage(Object.assign(new Error('lost'), { code }))).toBe(true);
  },
);

test.each<[string, () => unknown]>([
  ['an invalid URL', () => new URL('no url')],
  ['a missing value', () => Buffer.from(undefined as never)],
])('%s is a bug or bad data, and its event fails after five tries', async (_what, bug) => {
  const error: unknown = await Promise.try(bug).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(TypeError);
  expect(isOutage(error)).toBe(false);
});
