import { useSyncExternalStore } from 'react';
import { queryClient } from '../query-client.ts';
import { clearToken, readToken, subjectOf, watchToken } from './token.ts';

/**
 * One document holds one person's data. This file decides what becomes of it when the token changes, here or in another
 * tab: gone while nothing is being written, the data is forgotten; gone in the middle of a form, the page stays under
 * the question to sign in again, and goes on when the same person does; a token of somebody else loads the page anew.
 */
interface Interruption {
  token: string;
  renewed: Promise<boolean>;
  end: (renewed: boolean) => void;
}

let held: string | null = null;
let interruption: Interruption | null = null;
let signedOut = false;
let pagesThatWait = 0;
const watchers = new Set<() => void>();

/** A search is no loss. */
const workIsOpen = (): boolean =>
  pagesThatWait > 0 && document.querySelector('form:not(search form), [role="dialog"]') !== null;

const interrupt = (token: string): Interruption => {
  const { promise: renewed, resolve: end } = Promise.withResolvers<boolean>();
  return { token, renewed, end };
};

const endInterruption = (renewed: boolean): void => {
  interruption?.end(renewed);
  interruption = null;
};

const forgetEveryone = (): void =>
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
    if (workIsOpen()) interruption = interrupt(held);
    else leave();
  }
  for (const tell of watchers) tell();
};

/** Nothing of whoever was signed in may show to the next. */
const leave = (): void => {
  held = null;
  endInterruption(false);
  forgetEveryone();
};

/** Tells a sign-out, which asks nobody, from a session that ran out. */
const channelName = 'daylift session';
const announceSignOut = (token: string | null): void => {
  const channel = new BroadcastChannel(channelName);
  channel.postMessage(token);
  channel.close();
};
const hearOfSignOut = ({ data: ended }: MessageEvent<unknown>): void => {
  const token = readToken();
  // A tab that slept hears of it late: somebody may have signed in since.
  if (token !== null && token !== ended) return;
  leave();
  // The message may be here before the store of this tab knows that the token is gone.
  clearToken();
};

let started = false;
const watch = (onChange: () => void): (() => void) => {
  watchers.add(onChange);
  if (!started) {
    started = true;
    held = readToken();
    watchToken(follow);
    new BroadcastChannel(channelName).onmessage = hearOfSignOut;
  }
  return () => watchers.delete(onChange);
};

export const useToken = (): string | null => useSyncExternalStore(watch, readToken, () => null);

/** The session ran out in the middle of something, and can be taken up again. */
export const useInterrupted = (): boolean =>
  useSyncExternalStore(
    watch,
    () => interruption !== null,
    () => false,
  );

/** A page whose forms can wait for a new sign-in says so while it is shown. */
export const waitForSignIn = (): (() => void) => {
  pagesThatWait += 1;
  return () => {
    pagesThatWait -= 1;
  };
};

/** What calls are made with. Those of an interrupted session go out with its old token, are refused, and wait. */
export const readCallToken = (): string | null => readToken() ?? interruption?.token ?? null;

/** The service has refused the token. Answers whether it was renewed, where somebody is asked to. */
export const sessionRefused = (): Promise<boolean> | undefined => {
  if (interruption === null) clearToken();
  return interruption?.renewed;
};

/** Whether it was ended here, by the person's own wish: whoever did that is not asked to sign in. */
export const useSignedOut = (): boolean =>
  useSyncExternalStore(
    watch,
    () => signedOut,
    () => false,
  );

/** Ends the session here and in every other tab, whatever is open there. A fresh document has to follow. */
export const endSession = (): void => {
  const token = held;
  signedOut = true;
  leave();
  clearToken();
  announceSignOut(token);
};
