import { useAction } from '@daylift/api-client/use-action';
import type { CreateUserRequest } from '@daylift/contracts/managed-users.http';
import { keepPreviousData, queryOptions, useQueryClient } from '@tanstack/react-query';
import { call } from '../../api.ts';
import { type ListFilters, queryOf } from './list-filters.ts';

export const pageSize = 25;

export const subscribersQuery = (filters: ListFilters) =>
  queryOptions({
    queryKey: ['subscribers', filters],
    queryFn: ({ signal }) =>
      call('GET /admin/users', { query: queryOf(filters, pageSize), signal }),
    placeholderData: keepPreviousData,
  });

export const providerQuery = queryOptions({
  queryKey: ['sms-provider'],
  queryFn: ({ signal }) => call('GET /admin/sms-system/provider', { signal }),
  staleTime: 30_000,
});

/** Subscriber changes affect the list and the dashboard. */
const useRefresh = () => {
  const queryClient = useQueryClient();
  return () =>
    Promise.all(
      ['subscribers', 'subscriber', 'analytics'].map((key) =>
        queryClient.invalidateQueries({ queryKey: [key] }),
      ),
    );
};

export const useCreateUser = () =>
  useAction({
    mutationFn: (body: CreateUserRequest) => call('POST /admin/users/create', { body }),
    onSuccess: useRefresh(),
  });

export const useSetUserActive = () =>
  useAction({
    mutationFn: ({ id, active }: { id: string; active: boolean }) =>
      call('POST /admin/users/:id/toggle-status', { params: { id }, body: { is_active: active } }),
    onSuccess: useRefresh(),
  });

export const useDeleteUser = () =>
  useAction({
    mutationFn: (id: string) => call('DELETE /admin/users/:id', { params: { id } }),
    onSuccess: useRefresh(),
  });
