import { QueryClient } from '@tanstack/react-query';
import { expect, test, vi } from 'vitest';
import { refreshQueries, updateQuery } from './query-updates.ts';

const clientWith = (hour: string): QueryClient => {
  const queries = new QueryClient();
  queries.setQueryData(['me'], { hour });
  return queries;
};

test('an answer from before a change does not come over it', async () => {
  const queries = clientWith('09:00');
  const { promise: late, resolve: arrive } = Promise.withResolvers<{ hour: string }>();
  const asked = queries.fetchQuery({ queryKey: ['me'], queryFn: () => late }).catch(() => null);
  await updateQuery<{ hour: string }>(queries, ['me'], () => ({ hour: '18:00' }));
  arrive({ hour: '09:00' });
  await asked;
  expect(queries.getQueryData(['me'])).toEqual({ hour: '18:00' });
});

test('what is not there yet is not made up', async () => {
  const queries = new QueryClient();
  await updateQuery<{ hour: string }>(queries, ['me'], (me) => me && { ...me, hour: '18:00' });
  expect(queries.getQueryData(['me'])).toBeUndefined();
});

test('what hangs on a change is asked for again once the other services know of it', async () => {
  vi.useFakeTimers();
  const queries = clientWith('09:00');
  const isOld = () => queries.getQueryState(['me'])?.isInvalidated;
  refreshQueries(queries, ['me']);
  expect(isOld()).toBe(true);
  queries.setQueryData(['me'], { hour: 'as the other service still had it' });
  expect(isOld()).toBe(false);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(isOld()).toBe(true);
  vi.useRealTimers();
});
