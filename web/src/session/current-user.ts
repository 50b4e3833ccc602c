import type { Me } from '@daylift/contracts/accounts.http';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { call } from '../api.ts';
import { paths } from '../paths.ts';
import { endSession, useToken } from './keep-session.ts';
import { forgetPendingSignup } from './pending-signup.ts';
import { storeToken } from './token.ts';

/** Waiting for a text reply: YES, or START after STOP. */
const waitsForReply = (user: Me | undefined): boolean =>
  user !== undefined &&
  (user.consent === 'pending' || user.pending_phone !== null || user.opted_out);
const pollMs = 10_000;

export const currentUserQuery = queryOptions({
  queryKey: ['me'],
  queryFn: ({ signal }) => call('GET /users/me', { signal }),
  refetchInterval: ({ state }) => (waitsForReply(state.data) ? pollMs : false),
});

export interface Session {
  signedIn: boolean;
  user: Me | undefined;
}

/** The signed-in user. The client clears a rejected token, which ends the session. */
export const useSession = (): Session => {
  const token = useToken();
  const { data } = useQuery({ ...currentUserQuery, enabled: token !== null });
  return { signedIn: token !== null, user: token === null ? undefined : data };
};

export const startSession = (token: string): void => {
  forgetPendingSignup();
  storeToken(token);
};

/**
 * Removes the token without waiting for the logout call, then loads a fresh document, so no user data stays in memory.
 */
export const signOut = (): void => {
  void call('POST /users/logout', { keepalive: true }).catch(() => null);
  endSession();
  window.location.assign(paths.home);
};

/** Returns the effective delivery state, which is off after STOP. */
export const isDeliveryOn = (user: Pick<Me, 'delivery_enabled' | 'opted_out'>): boolean =>
  user.delivery_enabled && !user.opted_out;

export const firstName = (user: Pick<Me, 'name'>): string =>
  user.name.trim().split(/\s+/)[0] ?? user.name;
