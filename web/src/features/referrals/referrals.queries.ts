import { queryOptions, useQueryClient } from '@tanstack/react-query';
import { accounts, billing } from '../../api.ts';
import { useAction } from '../../components/use-action.ts';
import { currentUserQuery } from '../../session/current-user.ts';

export const referralFiguresQuery = queryOptions({
  queryKey: ['referrals'],
  queryFn: ({ signal }) => billing.getReferralFigures(signal),
});

export const useGenerateReferral = () => {
  const queries = useQueryClient();
  return useAction({
    mutationFn: () => accounts.generateReferral(),
    onSuccess: (link) =>
      queries.setQueryData(currentUserQuery.queryKey, (me) => me && { ...me, ...link }),
  });
};
