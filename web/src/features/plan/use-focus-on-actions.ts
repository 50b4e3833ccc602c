import { useCallback, useEffect, useRef } from 'react';

/** The button that was pressed may be gone with what it did: the keyboard goes on at what can be done now. */
export const useFocusOnActions = (actions: string) => {
  const place = useRef<HTMLDivElement>(null);
  const shown = useRef(actions);
  const land = useCallback(() => {
    if (document.activeElement === document.body) place.current?.querySelector('button')?.focus();
  }, []);
  useEffect(() => {
    if (shown.current === actions) return;
    shown.current = actions;
    land();
  }, [actions, land]);
  return { place, land };
};
