import { retryTransient } from '@daylift/api-client/retry';
import { QueryCache, QueryClient } from '@tanstack/react-query';

export const queryClient = new QueryClient({
  queryCache: new QueryCache({
    // Cards show an empty state, so log the reason.
    onError: (error, query) => console.warn('query failed:', query.queryKey[0], error),
  }),
  defaultOptions: {
    queries: {
      staleTime: 15_000,
      retry: retryTransient,
    },
    // Offline, an action fails right away instead of running later.
    mutations: { retry: false, networkMode: 'always' },
  },
});
