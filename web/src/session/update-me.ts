import { useAction } from '@daylift/api-client/use-action';
import type { Me, UpdateMeRequest } from '@daylift/contracts/accounts.http';
import { useQueryClient } from '@tanstack/react-query';
import { call } from '../api.ts';
import { refreshQueries, updateQuery } from '../components/query-updates.ts';
import { currentUserQuery } from './current-user.ts';

/** Writes the changed user to the cache. */
export const useShowMe = () => {
  const queries = useQueryClient();
  return (change: Partial<Me>): Promise<void> =>
    updateQuery<Me>(queries, currentUserQuery.queryKey, (me) => me && { ...me, ...change });
};

/** Settings that affect the schedule. */
export const useRefreshDelivery = () => {
  const queries = useQueryClient();
  return (): void => refreshQueries(queries, ['next-text', 'calendar', 'analytics', 'today']);
};

/** Saves settings and caches the result. `onDone` runs even if the user has left the page. */
export const useUpdateMe = (onDone: (user: Me) => void) => {
  const showMe = useShowMe();
  const refreshDelivery = useRefreshDelivery();
  return useAction({
    mutationFn: (change: UpdateMeRequest) => call('PUT /users/me', { body: change }),
    onSuccess: async (user) => {
      await showMe(user);
      refreshDelivery();
      onDone(user);
    },
  });
};
