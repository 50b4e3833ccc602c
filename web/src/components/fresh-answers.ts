import type { QueryClient, QueryKey } from '@tanstack/react-query';

/** Other services hear of a change a moment after the one that made it has answered. */
const hearOfItMs = 2_000;

/** Shows what a change came to. An older answer that is still on its way must not come over it. */
export const showAnswer = async <Data>(
  queries: QueryClient,
  queryKey: QueryKey,
  change: (before: Data | undefined) => Data | undefined,
): Promise<void> => {
  await queries.cancelQueries({ queryKey, exact: true });
  queries.setQueryData<Data>(queryKey, change);
};

/** Asks anew for what hangs on a change: at once, and when every service has heard of it. */
export const askAnew = (queries: QueryClient, keys: readonly string[]): void => {
  const ask = () => {
    for (const key of keys) void queries.invalidateQueries({ queryKey: [key] });
  };
  ask();
  setTimeout(ask, hearOfItMs);
};
