import { createTokenStore } from '@daylift/api-client/token-store';

/** The subscriber token, separate from the admin's. */
const userToken = createTokenStore('user_token');

export const readToken = userToken.read;
export const storeToken = userToken.store;
export const clearToken = userToken.clear;
export const watchToken = userToken.watch;

/** Returns the user ID in a token, unverified; only to tell users apart. */
export const subjectOf = (token: string): string | null => {
  try {
    const [, claims = ''] = token.split('.');
    const { sub } = JSON.parse(atob(claims.replaceAll('-', '+').replaceAll('_', '/')));
    return typeof sub === 'string' ? sub : null;
  } catch {
    return null;
  }
};
