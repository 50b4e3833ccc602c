/** A word for somebody who deleted their account, carried to the next document and said there once. */
const key = 'farewell';

export const leaveFarewell = (): void => {
  try {
    window.sessionStorage.setItem(key, 'said');
  } catch {
    // Without storage they leave without the word.
  }
};

export const isFarewellDue = (): boolean => {
  try {
    return window.sessionStorage.getItem(key) !== null;
  } catch {
    return false;
  }
};

export const forgetFarewell = (): void => {
  try {
    window.sessionStorage.removeItem(key);
  } catch {
    // Nothing was kept.
  }
};
