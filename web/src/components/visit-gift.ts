import { ApiError } from '@daylift/api-client/request';
import type { GiftOffer } from '@daylift/contracts/gifts.http';
import { queryOptions, skipToken, useQuery } from '@tanstack/react-query';
import { useEffect, useLayoutEffect, useState } from 'react';
import { call } from '../api.ts';
import { createBrowserStorage } from './browser-storage.ts';

/** The code of a gift's link, for the signup in this tab. */
const storage = createBrowserStorage('tab', 'gift_code');

export const keepGiftCode = (code: string): void => storage.write(code);
export const forgetGift = storage.remove;
export const readGiftCode = (): string | null => {
  const code = storage.read();
  return typeof code === 'string' ? code : null;
};

/** Whether this tab has redeemed a gift, for the page after it. */
const redeemed = createBrowserStorage('tab', 'gift_redeemed');
export const keepRedeemed = (): void => redeemed.write(true);
export const hasRedeemed = (): boolean => redeemed.read() === true;

export const isGiftRefusal = (error: unknown): error is ApiError =>
  error instanceof ApiError && error.code.startsWith('GIFT_');

export const giftQuery = (code: string | null) =>
  queryOptions({
    queryKey: ['gift', code],
    queryFn:
      code === null
        ? skipToken
        : ({ signal }) => call('POST /gifts/read', { body: { gift_code: code }, signal }),
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  });

/** Returns the gift that this signup redeems. */
export const useVisitGift = (): GiftOffer | undefined => {
  const [code, setCode] = useState<string | null>(null);
  // After mount, because the prerendered page has none.
  useLayoutEffect(() => setCode(readGiftCode()), []);
  const { data, error } = useQuery(giftQuery(code));
  useEffect(() => {
    if (isGiftRefusal(error)) forgetGift();
  }, [error]);
  return data;
};
