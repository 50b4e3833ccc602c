import { retryWhatMayPass } from '@daylift/api-client/retry';
import { QueryCache, QueryClient } from '@tanstack/react-query';

export const queryClient = new QueryClient({
  // The pages say what is old; why it is stands in the console.
  queryCache: new QueryCache({ onError: (error) => console.warn(error) }),
  defaultOptions: {
    queries: { staleTime: 5_000, retry: retryWhatMayPass },
    mutations: { retry: false },
  },
});
