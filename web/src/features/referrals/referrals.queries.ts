import { useAction } from '@daylift/api-client/use-action';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../api.ts';
import { useShowMe } from '../../session/update-me.ts';

export const referralFiguresQuery = queryOptions({
  queryKey: ['referrals'],
  queryFn: ({ signal }) => call('GET /users/me/referrals', { signal }),
});

export const useGenerateReferral = () =>
  useAction({ mutationFn: () => call('POST /users/me/generate-referral'), onSuccess: useShowMe() });
