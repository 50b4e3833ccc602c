import type { UpdateMeRequest } from '@daylift/contracts/accounts.http';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { accounts } from '../../api.ts';
import { currentUserQuery } from '../../session/current-user.ts';

/** Saves and shows what the service made of it; the next text may have moved. */
export const useUpdateMe = () => {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (change: UpdateMeRequest) => accounts.updateMe(change),
    onSuccess: (user) => {
      queries.setQueryData(currentUserQuery.queryKey, user);
      return queries.invalidateQueries({ queryKey: ['next-text'] });
    },
  });
};
