import type { Me } from '@daylift/contracts/accounts.http';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { accounts } from '../api.ts';
import { paths } from '../paths.ts';
import { endSession, useToken } from './keep-session.ts';
import { forgetPendingSignup } from './pending-signup.ts';
import { storeToken } from './token.ts';

/** What only a reply by text can bring: a YES, or a START after a STOP. */
const waitsForReply = (user: Me | undefined): boolean =>
  user !== undefined &&
  (user.consent === 'pending' || user.pending_phone !== null || user.opted_out);
const lookAgainMs = 10_000;

export const currentUserQuery = queryOptions({
  queryKey: ['me'],
  queryFn: ({ signal }) => accounts.getMe(signal),
  refetchInterval: ({ state }) => (waitsForReply(state.data) ? lookAgainMs : false),
});

export interface Session {
  signedIn: boolean;
  /** Undefined until the current-user call has answered. */
  user: Me | undefined;
}

/** Who is signed in. A token that the service refuses is cleared by the client, which ends the session here. */
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
 * Nobody waits for the service to hear of it: the token is gone from this browser at once. A fresh document, so that
 * nothing of the person who left stays in memory.
 */
export const signOut = (): void => {
  void accounts.logOut().catch(() => null);
  endSession();
  window.location.assign(paths.home);
};

/** The switch as it works: after a STOP nothing comes, whatever it stood at. */
export const isDeliveryOn = (user: Pick<Me, 'delivery_enabled' | 'opted_out'>): boolean =>
  user.delivery_enabled && !user.opted_out;

/** The name that one would say in the morning. */
export const firstName = (user: Pick<Me, 'name'>): string =>
  user.name.trim().split(/\s+/)[0] ?? user.name;
