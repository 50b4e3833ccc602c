import { useCallback } from 'react';

/** Scrolls an opened element into view and focuses it. */
export const useScrollHere = () =>
  useCallback((element: HTMLElement | null) => {
    element?.focus({ preventScroll: true });
    element?.scrollIntoView({ block: 'nearest' });
  }, []);
