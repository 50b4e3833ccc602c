import { createTokenStore } from '@daylift/api-client/token-store';
import { useSyncExternalStore } from 'react';

/** The subscriber's token, apart from the operator's. */
const userToken = createTokenStore('user_token');

export const readToken = userToken.read;
export const storeToken = userToken.store;
export const clearToken = userToken.clear;

export const useToken = (): string | null =>
  useSyncExternalStore(userToken.watch, readToken, () => null);
