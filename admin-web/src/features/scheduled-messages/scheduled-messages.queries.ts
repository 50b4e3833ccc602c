import { useRefresh } from '@daylift/api-client/queries';
import { useAction } from '@daylift/api-client/use-action';
import type { CreateScheduledMessageRequest } from '@daylift/contracts/content.http';
import type {
  ImportRequest,
  UpdateScheduledMessageRequest,
} from '@daylift/contracts/scheduled-messages.http';
import type { TestTextRequest } from '@daylift/contracts/sms-operations.http';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { apiQuery, call } from '../../api.ts';
import type { Filters } from './MessageFilters.tsx';

export const pageSize = 25;

export const scheduledMessagesQuery = ({ search, status, category }: Filters, offset: number) =>
  queryOptions({
    queryKey: ['scheduled-messages', search, status, category, offset],
    queryFn: ({ signal }) =>
      call('GET /admin/scheduled-messages', {
        query: {
          limit: pageSize,
          offset,
          search: search.trim() || undefined,
          status: status || undefined,
          category: category || undefined,
        },
        signal,
      }),
    placeholderData: keepPreviousData,
  });

/** Polls only while texts are held, because they go out without a live update. */
export const heldTextsQuery = queryOptions({
  ...apiQuery(['held-texts'], 'GET /admin/held-texts'),
  refetchInterval: ({ state }) => (state.data?.length ? 30_000 : false),
});

/** The number the admin last sent a test to. Kept in memory until they sign out or reload. */
export const ownPhoneQuery = queryOptions({
  queryKey: ['own-phone'],
  queryFn: () => '',
  enabled: false,
  initialData: '',
  gcTime: Number.POSITIVE_INFINITY,
});

export const useCancelHeldTexts = () =>
  useAction({
    mutationFn: (id: string) =>
      call('POST /admin/scheduled-messages/:id/cancel-held', { params: { id }, body: {} }),
    onSuccess: useRefresh('held-texts'),
  });

/** Scheduled messages affect the table, the calendar and the dashboard. */
const useRefreshed = () => useRefresh('scheduled-messages', 'content-calendar', 'analytics');

export const useCreateScheduledMessage = () =>
  useAction({
    mutationFn: (body: CreateScheduledMessageRequest) =>
      call('POST /admin/scheduled-messages', { body }),
    onSuccess: useRefreshed(),
  });

export const useUpdateScheduledMessage = () =>
  useAction({
    mutationFn: ({ id, body }: { id: string; body: UpdateScheduledMessageRequest }) =>
      call('PUT /admin/scheduled-messages/:id', { params: { id }, body }),
    // Also after a version conflict, to show the other admin's change.
    onSettled: useRefreshed(),
  });

export const useSendTestText = () =>
  useAction({
    mutationFn: (body: TestTextRequest) => call('POST /admin/test-texts', { body }),
  });

export const useDeleteScheduledMessage = () =>
  useAction({
    mutationFn: (id: string) => call('DELETE /admin/scheduled-messages/:id', { params: { id } }),
    onSuccess: useRefreshed(),
  });

/** Checks a file, or imports it. */
export const useImportMessages = () =>
  useAction({
    mutationFn: (body: ImportRequest) => call('POST /admin/scheduled-messages/import', { body }),
    onSuccess: useRefreshed(),
  });
