import type { QueryClient, QueryKey } from '@tanstack/react-query';

/** Other services receive a change shortly after the response. */
const propagationMs = 2_000;

/** Writes new data to the cache and cancels older requests, so they don't overwrite it. */
export const updateQuery = async <Data>(
  queries: QueryClient,
  queryKey: QueryKey,
  change: (before: Data | undefined) => Data | undefined,
): Promise<void> => {
  await queries.cancelQueries({ queryKey, exact: true });
  queries.setQueryData<Data>(queryKey, change);
};

/** Invalidates dependent queries now, and again once other services have received the change. */
export const refreshQueries = (queries: QueryClient, keys: readonly string[]): void => {
  const refresh = () => {
    for (const key of keys) void queries.invalidateQueries({ queryKey: [key] });
  };
  refresh();
  setTimeout(refresh, propagationMs);
};
