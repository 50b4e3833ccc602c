import { useAction } from '@daylift/api-client/use-action';
import type { Conversation, InboxState, SupportMessageKind } from '@daylift/contracts/inbox.http';
import { infiniteQueryOptions, queryOptions, useQueryClient } from '@tanstack/react-query';
import { call } from '../../api.ts';

const pageSize = 30;
const refetchInterval = 30_000;

export interface Filter {
  state: InboxState;
  kind: SupportMessageKind | null;
  search: string;
}

export const inboxQuery = ({ state, kind, search }: Filter) =>
  infiniteQueryOptions({
    queryKey: ['inbox', 'list', state, kind, search],
    queryFn: ({ pageParam, signal }) =>
      call('GET /admin/inbox', {
        query: {
          state,
          limit: pageSize,
          ...(kind && { kind }),
          ...(search && { search }),
          ...(pageParam && { before: pageParam }),
        },
        signal,
      }),
    initialPageParam: '',
    getNextPageParam: (page) => (page.more ? page.items.at(-1)?.id : undefined),
    refetchInterval,
  });

/** Number of open conversations, for the tab. */
export const openQuery = queryOptions({
  queryKey: ['inbox', 'open'],
  queryFn: async ({ signal }) => {
    const query = { state: 'open', limit: 1 } as const;
    return (await call('GET /admin/inbox', { query, signal })).open;
  },
});

export const conversationQuery = (id: string) =>
  queryOptions({
    queryKey: ['inbox', 'conversation', id],
    queryFn: ({ signal }) => call('GET /admin/inbox/:id', { params: { id }, signal }),
    refetchInterval,
  });

/** An action on a conversation. Its response replaces the cached conversation. */
export const useConversationAction = <Input = void>(
  id: string,
  run: (input: Input) => Promise<Conversation>,
) => {
  const queryClient = useQueryClient();
  return useAction<Conversation, Input>({
    mutationFn: run,
    onSuccess: async (conversation) => {
      queryClient.setQueryData(conversationQuery(id).queryKey, conversation);
      await queryClient.invalidateQueries({ queryKey: ['inbox'] });
    },
  });
};
