import { retryWhatMayPass } from '@daylift/api-client/retry';
import { QueryClient } from '@tanstack/react-query';

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 15_000,
      retry: retryWhatMayPass,
    },
    mutations: { retry: false },
  },
});
