/** A value in browser storage: `tab` is session storage, `device` is local storage. */
export interface Keepsake {
  /** Returns the stored value, unvalidated. */
  read: () => unknown;
  keep: (value: unknown) => void;
  forget: () => void;
}

/** Does nothing if storage is unavailable or full. */
const attempt = <Result>(act: () => Result): Result | null => {
  try {
    return act();
  } catch {
    return null;
  }
};

export const createKeepsake = (lasting: 'tab' | 'device', key: string): Keepsake => {
  const storage = () => (lasting === 'tab' ? window.sessionStorage : window.localStorage);
  return {
    read: () => attempt(() => JSON.parse(storage().getItem(key) ?? 'null')),
    keep: (value) => attempt(() => storage().setItem(key, JSON.stringify(value))),
    forget: () => attempt(() => storage().removeItem(key)),
  };
};
