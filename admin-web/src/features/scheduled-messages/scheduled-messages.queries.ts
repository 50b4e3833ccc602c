import { useAction } from '@daylift/ui/use-action';
import { keepPreviousData, queryOptions, useQueryClient } from '@tanstack/react-query';
import { content } from '../../api.ts';

export const pageSize = 25;

export const scheduledMessagesQuery = (offset: number) =>
  queryOptions({
    queryKey: ['scheduled-messages', offset],
    queryFn: ({ signal }) => content.listScheduledMessages({ limit: pageSize, offset }, signal),
    placeholderData: keepPreviousData,
    refetchInterval: 15_000,
  });

/** What is scheduled shows in the table and in the dashboard's figures. */
const useRefresh = () => {
  const queryClient = useQueryClient();
  return () =>
    Promise.all([
      queryClient.invalidateQueries({ queryKey: ['scheduled-messages'] }),
      queryClient.invalidateQueries({ queryKey: ['analytics'] }),
    ]);
};

export const useCreateScheduledMessage = () =>
  useAction({ mutationFn: content.createScheduledMessage, onSuccess: useRefresh() });

export const useDeleteScheduledMessage = () =>
  useAction({ mutationFn: content.deleteScheduledMessage, onSuccess: useRefresh() });
