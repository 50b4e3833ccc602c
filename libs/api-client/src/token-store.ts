/**
 * Stores the session token in local storage, shared by all tabs. Without storage (some private windows) the session
 * lasts as long as the page.
 */
export interface TokenStore {
  read: () => string | null;
  store: (token: string) => void;
  clear: () => void;
  /** Calls the listener on every change, here or in another tab. Returns an unsubscribe function. */
  watch: (onChange: () => void) => () => void;
}

/** Rejects values that aren't valid in a header. */
const isToken = (value: string): boolean => /^[\w-]+(\.[\w-]+){2}$/.test(value);

export const createTokenStore = (key: string): TokenStore => {
  const watchers = new Set<() => void>();
  let unstored: string | null = null;

  const write = (token: string | null): void => {
    unstored = null;
    try {
      if (token === null) window.localStorage.removeItem(key);
      else window.localStorage.setItem(key, token);
    } catch {
      unstored = token;
    }
    for (const notify of watchers) notify();
  };

  return {
    read: () => {
      try {
        const stored = window.localStorage.getItem(key);
        if (stored === null || isToken(stored)) return stored ?? unstored;
        window.localStorage.removeItem(key);
        return unstored;
      } catch {
        return unstored;
      }
    },
    store: write,
    clear: () => write(null),
    watch: (onChange) => {
      watchers.add(onChange);
      window.addEventListener('storage', onChange);
      return () => {
        watchers.delete(onChange);
        window.removeEventListener('storage', onChange);
      };
    },
  };
};
