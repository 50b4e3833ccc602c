import { useAction } from '@daylift/api-client/use-action';
import type {
  Conversation,
  InboxState,
  SavedReply,
  SupportMessageKind,
} from '@daylift/contracts/inbox.http';
import { infiniteQueryOptions, queryOptions, useQueryClient } from '@tanstack/react-query';
import { apiQuery, call } from '../../api.ts';

const pageSize = 30;
const refetchInterval = 30_000;

export interface Filter {
  state: InboxState;
  kind: SupportMessageKind | null;
  search: string;
  unanswered: boolean;
  /** Only those assigned to this admin. */
  assignee: string | null;
}

export const inboxQuery = ({ state, kind, search, unanswered, assignee }: Filter) =>
  infiniteQueryOptions({
    queryKey: ['inbox', 'list', state, kind, search, unanswered, assignee],
    queryFn: ({ pageParam, signal }) =>
      call('GET /admin/inbox', {
        query: {
          state,
          limit: pageSize,
          ...(kind && { kind }),
          ...(unanswered && { unanswered }),
          ...(assignee && { assignee }),
          ...(search && { search }),
          ...(pageParam && { before: pageParam }),
        },
        signal,
      }),
    initialPageParam: '',
    getNextPageParam: (page) => (page.more ? page.items.at(-1)?.id : undefined),
    refetchInterval,
  });

export const conversationQuery = (id: string) =>
  queryOptions({
    queryKey: ['inbox', 'conversation', id],
    queryFn: ({ signal }) => call('GET /admin/inbox/:id', { params: { id }, signal }),
    refetchInterval,
  });

/** An action on a conversation. Its response replaces the cached conversation; an error may mean that it has changed. */
export const useConversationAction = <Input = void>(
  id: string,
  run: (input: Input) => Promise<Conversation>,
) => {
  const queryClient = useQueryClient();
  const refetch = () => queryClient.invalidateQueries({ queryKey: ['inbox'] });
  return useAction<Conversation, Input>({
    mutationFn: run,
    onSuccess: (conversation) => {
      queryClient.setQueryData(conversationQuery(id).queryKey, conversation);
      return refetch();
    },
    // Not awaited: the server may be failing, and the error shows only after what this returns.
    onError: () => void refetch(),
  });
};

export const assigneesQuery = {
  ...apiQuery(['inbox', 'assignees'], 'GET /admin/inbox/assignees'),
  staleTime: 60_000,
};

export const savedRepliesQuery = apiQuery(['saved-replies'], 'GET /admin/saved-replies');

/** Changes the saved replies. The response is the new list. */
export const useSavedReplyAction = <Input>(run: (input: Input) => Promise<SavedReply[]>) => {
  const queryClient = useQueryClient();
  return useAction<SavedReply[], Input>({
    mutationFn: run,
    onSuccess: (replies) => void queryClient.setQueryData(savedRepliesQuery.queryKey, replies),
  });
};
