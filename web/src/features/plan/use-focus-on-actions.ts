import { useCallback, useEffect, useRef } from 'react';

/** Moves focus to the remaining actions when the pressed button disappears. */
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
