/** A value that this browser keeps for a page: `tab` until the window is closed, `device` until it is forgotten. */
export interface Keepsake {
  /** As it was kept, or whatever else stands there: to be looked at before it is believed. */
  read: () => unknown;
  keep: (value: unknown) => void;
  forget: () => void;
}

/** Some browsers refuse their storage, or have none left: then nothing is kept, and nothing fails. */
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
