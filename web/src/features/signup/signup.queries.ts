import { useDebouncedValue } from '@mantine/hooks';
import { queryOptions, skipToken, useQuery } from '@tanstack/react-query';
import { call } from '../../api.ts';
import { readReferral } from './signup-rules.ts';

const plannedMs = 3_000;

/** The first text is planned a moment after the payment. */
export const firstTextQuery = queryOptions({
  queryKey: ['next-text'],
  queryFn: ({ signal }) => call('GET /users/me/next-text', { signal }),
  refetchInterval: ({ state }) => (state.data?.next_text_at === null ? plannedMs : false),
});

const typingMs = 400;

export const unknownReferralWords = "We don't know this referral code, so it won't count.";

/** Returns whether a referral code exists; undefined until the server has responded. */
export const useIsKnownReferral = (typed: string): boolean | undefined => {
  const [code] = useDebouncedValue(readReferral(typed), typingMs);
  const { data } = useQuery({
    queryKey: ['referral', code],
    queryFn:
      code === '' ? skipToken : ({ signal }) => call('GET /referrals', { query: { code }, signal }),
    retry: false,
  });
  return data?.known;
};
