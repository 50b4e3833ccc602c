import { useSyncExternalStore } from 'react';

/**
 * The subscriber's token: local storage is the only place that holds it, and every tab follows.
 * Where storage is refused (some private windows) the session lasts as long as the page.
 */
const key = 'user_token';
const watchers = new Set<() => void>();
let unstored: string | null = null;

export const readToken = (): string | null => {
  try {
    return window.localStorage.getItem(key);
  } catch {
    return unstored;
  }
};

const write = (token: string | null): void => {
  unstored = token;
  try {
    if (token === null) window.localStorage.removeItem(key);
    else window.localStorage.setItem(key, token);
  } catch {
    // `unstored` holds it for this page.
  }
  for (const tell of watchers) tell();
};

export const storeToken = (token: string): void => write(token);
export const clearToken = (): void => write(null);

const watchToken = (onChange: () => void): (() => void) => {
  watchers.add(onChange);
  window.addEventListener('storage', onChange);
  return () => {
    watchers.delete(onChange);
    window.removeEventListener('storage', onChange);
  };
};

export const useToken = (): string | null =>
  useSyncExternalStore(watchToken, readToken, () => null);
