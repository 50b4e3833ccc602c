import { useCallback } from 'react';

/** Brings something that was asked for into sight, and the keyboard with it. */
export const useScrollHere = () =>
  useCallback((element: HTMLElement | null) => {
    element?.focus({ preventScroll: true });
    element?.scrollIntoView({ block: 'nearest' });
  }, []);
