import { useSyncExternalStore } from 'react';
import { queryClient } from '../query-client.ts';
import { clearToken, readToken, subjectOf, watchToken } from './token.ts';

/**
 * Handles token changes, here or in another tab. When the token is gone, cached data is cleared, or, while a form is
 * open, the page asks to sign in again and continues for the same user. A different user's token reloads the page.
 */
interface Interruption {
  token: string;
  renewed: Promise<boolean>;
  end: (renewed: boolean) => void;
}

let held: string | null = null;
let interruption: Interruption | null = null;
let signedOut = false;
let resumablePages = 0;
const watchers = new Set<() => void>();

/** Search forms don't count: losing one doesn't matter. */
const hasOpenForm = (): boolean =>
  resumablePages > 0 && document.querySelector('form:not(search form), [role="dialog"]') !== null;

const interrupt = (token: string): Interruption => {
  const { promise: renewed, resolve: end } = Promise.withResolvers<boolean>();
  return { token, renewed, end };
};

const endInterruption = (renewed: boolean): void => {
  interruption?.end(renewed);
  interruption = null;
};

const removeUserQueries = (): void =>
  queryClient.removeQueries({ predicate: (query) => query.queryKey[0] !== 'catalogue' });

const follow = (): void => {
  const token = readToken();
  if (token !== null && held !== null && subjectOf(token) !== subjectOf(held)) {
    window.location.reload();
    return;
  }
  if (token !== null) {
    held = token;
    if (interruption) void queryClient.invalidateQueries();
    endInterruption(true);
  } else if (held !== null && interruption === null) {
    if (hasOpenForm()) interruption = interrupt(held);
    else leave();
  }
  for (const notify of watchers) notify();
};

/** Clears the data of the previous user. */
const leave = (): void => {
  held = null;
  endInterruption(false);
  removeUserQueries();
};

/** Broadcasts sign-outs, to distinguish them from expired sessions. */
const channelName = 'daylift session';
const announceSignOut = (token: string | null): void => {
  const channel = new BroadcastChannel(channelName);
  channel.postMessage(token);
  channel.close();
};
const handleSignOut = ({ data: ended }: MessageEvent<unknown>): void => {
  const token = readToken();
  // A suspended tab gets this late, after a new sign-in.
  if (token !== null && token !== ended) return;
  leave();
  // The message may arrive before this tab's storage event.
  clearToken();
};

let started = false;
const watch = (onChange: () => void): (() => void) => {
  watchers.add(onChange);
  if (!started) {
    started = true;
    held = readToken();
    watchToken(follow);
    new BroadcastChannel(channelName).onmessage = handleSignOut;
  }
  return () => watchers.delete(onChange);
};

export const useToken = (): string | null => useSyncExternalStore(watch, readToken, () => null);

/** The session expired with a form open and can be resumed. */
export const useInterrupted = (): boolean =>
  useSyncExternalStore(
    watch,
    () => interruption !== null,
    () => false,
  );

/** Called by pages whose forms can wait for a new sign-in. */
export const waitForSignIn = (): (() => void) => {
  resumablePages += 1;
  return () => {
    resumablePages -= 1;
  };
};

/** Token for API calls. An interrupted session uses its old token, so its calls are rejected and wait. */
export const readCallToken = (): string | null => readToken() ?? interruption?.token ?? null;

/** Handles a rejected token. Resolves to whether it was renewed. */
export const sessionRefused = (): Promise<boolean> | undefined => {
  if (interruption === null) clearToken();
  return interruption?.renewed;
};

/** Whether the user signed out, so they aren't asked to sign in again. */
export const useSignedOut = (): boolean =>
  useSyncExternalStore(
    watch,
    () => signedOut,
    () => false,
  );

/** Ends the session in all tabs. The caller must load a fresh document. */
export const endSession = (): void => {
  const token = held;
  signedOut = true;
  leave();
  clearToken();
  announceSignOut(token);
};
