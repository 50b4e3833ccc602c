import { useAction } from '@daylift/api-client/use-action';
import type { UpdateScheduledMessageRequest } from '@daylift/contracts/scheduled-messages.http';
import { keepPreviousData, queryOptions, useQueryClient } from '@tanstack/react-query';
import { content } from '../../api.ts';
import type { Filters } from './MessageFilters.tsx';

export const pageSize = 25;
const calendarDays = 60;

export const scheduledMessagesQuery = ({ search, status, category }: Filters, offset: number) =>
  queryOptions({
    queryKey: ['scheduled-messages', search, status, category, offset],
    queryFn: ({ signal }) =>
      content.listScheduledMessages(
        {
          limit: pageSize,
          offset,
          ...(search.trim() === '' ? {} : { search: search.trim() }),
          ...(status === '' ? {} : { status }),
          ...(category === '' ? {} : { category }),
        },
        signal,
      ),
    placeholderData: keepPreviousData,
  });

/** The coming days, and how large the library is. */
export const contentCalendarQuery = queryOptions({
  queryKey: ['content-calendar'],
  queryFn: ({ signal }) => content.getContentCalendar(calendarDays, signal),
});

/** What is scheduled shows in the table, in the calendar and in the dashboard's figures. */
const useRefresh = () => {
  const queryClient = useQueryClient();
  return () =>
    Promise.all(
      ['scheduled-messages', 'content-calendar', 'analytics'].map((name) =>
        queryClient.invalidateQueries({ queryKey: [name] }),
      ),
    );
};

export const useCreateScheduledMessage = () =>
  useAction({ mutationFn: content.createScheduledMessage, onSuccess: useRefresh() });

export const useUpdateScheduledMessage = () =>
  useAction({
    mutationFn: ({ id, body }: { id: string; body: UpdateScheduledMessageRequest }) =>
      content.updateScheduledMessage(id, body),
    // Also after a refusal: whoever reads on sees what somebody else has made of it.
    onSettled: useRefresh(),
  });

export const useDeleteScheduledMessage = () =>
  useAction({ mutationFn: content.deleteScheduledMessage, onSuccess: useRefresh() });

/** Judges a file, or stores what it holds. */
export const useImportMessages = () =>
  useAction({ mutationFn: content.importMessages, onSuccess: useRefresh() });
