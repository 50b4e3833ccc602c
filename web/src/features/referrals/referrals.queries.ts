import { useAction } from '@daylift/api-client/use-action';
import { apiQuery, call } from '../../api.ts';
import { useShowMe } from '../../session/update-me.ts';

export const referralFiguresQuery = apiQuery(['referrals'], 'GET /users/me/referrals');

export const useGenerateReferral = () =>
  useAction({ mutationFn: () => call('POST /users/me/generate-referral'), onSuccess: useShowMe() });
