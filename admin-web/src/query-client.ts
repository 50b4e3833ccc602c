import { retryTransient } from '@daylift/api-client/retry';
import { QueryCache, QueryClient } from '@tanstack/react-query';

export const queryClient = new QueryClient({
  // Pages show that data is stale; the console has the reason.
  queryCache: new QueryCache({ onError: (error) => console.warn(error) }),
  defaultOptions: {
    queries: { staleTime: 5_000, retry: retryTransient },
    mutations: { retry: false },
  },
});
