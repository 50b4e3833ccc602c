/** A value in browser storage: `tab` is session storage, `device` is local storage. */
export interface BrowserStorage {
  /** Returns the stored value, unvalidated. */
  read: () => unknown;
  write: (value: unknown) => void;
  remove: () => void;
}

/** Does nothing if storage is unavailable or full. */
const attempt = <Result>(act: () => Result): Result | null => {
  try {
    return act();
  } catch {
    return null;
  }
};

export const createBrowserStorage = (lasting: 'tab' | 'device', key: string): BrowserStorage => {
  const storage = () => (lasting === 'tab' ? window.sessionStorage : window.localStorage);
  return {
    read: () => attempt(() => JSON.parse(storage().getItem(key) ?? 'null')),
    write: (value) => attempt(() => storage().setItem(key, JSON.stringify(value))),
    remove: () => attempt(() => storage().removeItem(key)),
  };
};
