import { createTokenStore } from '@daylift/api-client/token-store';

/** The subscriber's token, apart from the operator's. */
const userToken = createTokenStore('user_token');

export const readToken = userToken.read;
export const storeToken = userToken.store;
export const clearToken = userToken.clear;
export const watchToken = userToken.watch;

/** Whose a token is. Only to tell people apart: what it opens is for the service to judge. */
export const subjectOf = (token: string): string | null => {
  try {
    const [, claims = ''] = token.split('.');
    const { sub } = JSON.parse(atob(claims.replaceAll('-', '+').replaceAll('_', '/')));
    return typeof sub === 'string' ? sub : null;
  } catch {
    return null;
  }
};
