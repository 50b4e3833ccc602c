import { QueryClient } from '@tanstack/react-query';
import { expect, test, vi } from 'vitest';
import { refreshQueries, updateQuery } from './query-updates.ts';

const clientWith = (hour: string): QueryClient => {
  const queries = new QueryClient();
  queries.setQueryData(['me'], { hour });
  return queries;
};

test("a response from before a change doesn't overwrite it", async () => {
  const queries = clientWith('09:00');
  const { promise: late, resolve: arrive } = Promise.withResolvers<{ hour: string }>();
  const fetching = queries.fetchQuery({ queryKey: ['me'], queryFn: () => late }).catch(() => null);
  await updateQuery<{ hour: string }>(queries, ['me'], () => ({ hour: '18:00' }));
  arrive({ hour: '09:00' });
  await fetching;
  expect(queries.getQueryData(['me'])).toEqual({ hour: '18:00' });
});

test("missing data isn't created", async () => {
  const queries = new QueryClient();
  await updateQuery<{ hour: string }>(queries, ['me'], (me) => me && { ...me, hour: '18:00' });
  expect(queries.getQueryData(['me'])).toBeUndefined();
});

test('dependent queries are refetched once other services know the change', async () => {
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
