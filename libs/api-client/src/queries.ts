import { queryOptions, useQueryClient } from '@tanstack/react-query';
import type { CallArguments, EndpointName, PublicResponse } from './endpoints.ts';
import type { Call } from './request.ts';

export const createApiQuery =
  (call: Call) =>
  <K extends EndpointName>(
    queryKey: readonly unknown[],
    endpoint: K,
    ...[request]: CallArguments<K>
  ) =>
    queryOptions<PublicResponse<K>>({
      queryKey,
      queryFn: ({ signal }) => call(endpoint, ...([{ ...request, signal }] as CallArguments<K>)),
    });

/** Returns a function that refetches all queries whose key starts with one of these names. */
export const useRefresh = (...names: string[]) => {
  const queryClient = useQueryClient();
  return async () => {
    await Promise.all(names.map((name) => queryClient.invalidateQueries({ queryKey: [name] })));
  };
};
