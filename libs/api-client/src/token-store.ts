/**
 * A session's token: local storage is the only place that holds it, and every tab follows. Where storage is refused
 * (some private windows) or full, the session lasts as long as the page.
 */
export interface TokenStore {
  read: () => string | null;
  store: (token: string) => void;
  clear: () => void;
  /** Tells of every change, made here or in another tab; answers how to stop. */
  watch: (onChange: () => void) => () => void;
}

/** Anything else would not even pass as a header. */
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
    for (const tell of watchers) tell();
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
