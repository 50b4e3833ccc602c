/**
 * A session's token: local storage is the only place that holds it, and every tab follows. Where storage is refused
 * (some private windows) the session lasts as long as the page.
 */
export interface TokenStore {
  read: () => string | null;
  store: (token: string) => void;
  clear: () => void;
  /** Tells of every change, made here or in another tab; answers how to stop. */
  watch: (onChange: () => void) => () => void;
}

export const createTokenStore = (key: string): TokenStore => {
  const watchers = new Set<() => void>();
  let unstored: string | null = null;

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

  return {
    read: () => {
      try {
        return window.localStorage.getItem(key);
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
