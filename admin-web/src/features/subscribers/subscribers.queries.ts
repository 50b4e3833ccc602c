import { useRefresh } from '@daylift/api-client/queries';
import { useAction } from '@daylift/api-client/use-action';
import type {
  CreateUserRequest,
  ManyStatusesRequest,
  UpdateUserRequest,
} from '@daylift/contracts/managed-users.http';
import { keepPreviousData, useQueryClient } from '@tanstack/react-query';
import { apiQuery, call } from '../../api.ts';
import { type ListFilters, queryOf } from './list-filters.ts';

export const pageSize = 25;

export const subscribersQuery = (filters: ListFilters) => ({
  ...apiQuery(['subscribers', filters], 'GET /admin/users', { query: queryOf(filters, pageSize) }),
  placeholderData: keepPreviousData,
});

export const providerQuery = {
  ...apiQuery(['sms-provider'], 'GET /admin/sms-system/provider'),
  staleTime: 30_000,
};

/** Subscriber changes affect the list and the dashboard. */
const useRefreshed = () => useRefresh('subscribers', 'subscriber', 'analytics');

export const useCreateUser = () =>
  useAction({
    mutationFn: (body: CreateUserRequest) => call('POST /admin/users/create', { body }),
    onSuccess: useRefreshed(),
  });

export const useSetUserActive = () =>
  useAction({
    mutationFn: ({ id, active }: { id: string; active: boolean }) =>
      call('POST /admin/users/:id/toggle-status', { params: { id }, body: { is_active: active } }),
    onSuccess: useRefreshed(),
  });

export const useUpdateUser = (id: string) =>
  useAction({
    mutationFn: (body: UpdateUserRequest) => call('PUT /admin/users/:id', { params: { id }, body }),
    onSuccess: useRefreshed(),
  });

export const useSetManyActive = () =>
  useAction({
    mutationFn: (body: ManyStatusesRequest) => call('POST /admin/users/status', { body }),
    onSuccess: useRefreshed(),
  });

export const useOptOut = () =>
  useAction({
    mutationFn: ({ id, note }: { id: string; note: string }) =>
      call('POST /admin/users/:id/opt-out', { params: { id }, body: { note } }),
    onSuccess: useRefreshed(),
  });

/** `leave` closes the subscriber's page if it's open: refetching it would find nothing. */
export const useDeleteUser = (leave: ((id: string) => Promise<void>) | undefined) => {
  const queryClient = useQueryClient();
  const refresh = useRefresh('subscribers', 'analytics');
  return useAction({
    mutationFn: (id: string) => call('DELETE /admin/users/:id', { params: { id } }),
    onSuccess: async (_, id) => {
      await leave?.(id);
      queryClient.removeQueries({ queryKey: ['subscriber', id] });
      await refresh();
    },
  });
};
