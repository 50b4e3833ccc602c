import { retryWhatMayPass } from '@daylift/api-client/retry';
import { QueryCache, QueryClient } from '@tanstack/react-query';

export const queryClient = new QueryClient({
  queryCache: new QueryCache({
    // Cards show themselves empty then; this is where the reason can be found.
    onError: (error, query) => console.warn('could not be loaded:', query.queryKey[0], error),
  }),
  defaultOptions: {
    queries: {
      staleTime: 15_000,
      retry: retryWhatMayPass,
    },
    // Without a connection an action fails at once, instead of being done some time later.
    mutations: { retry: false, networkMode: 'always' },
  },
});
