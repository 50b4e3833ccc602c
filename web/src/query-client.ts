import { ApiError } from '@daylift/api-client/request';
import { QueryClient } from '@tanstack/react-query';

/** A refusal stays a refusal; only what may pass by itself is asked again. */
const mayPass = (error: unknown): boolean =>
  error instanceof ApiError && (error.status === 0 || error.status >= 500);

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 15_000,
      retry: (failures, error) => failures < 2 && mayPass(error),
    },
    mutations: { retry: false },
  },
});
