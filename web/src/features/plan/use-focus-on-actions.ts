import { isFocusFree } from '@daylift/ui/keep-focus';
import { useCallback, useEffect, useRef } from 'react';

/** Longer than Mantine takes to return focus. With reduced motion, a dialog unmounts only after it reports its end. */
const focusReturnMs = 30;

/** Moves focus to the remaining actions when the pressed button disappears. */
export const useFocusOnActions = (actions: string) => {
  const place = useRef<HTMLDivElement>(null);
  const shown = useRef(actions);
  const focusFirst = useCallback(() => {
    setTimeout(() => {
      if (isFocusFree()) place.current?.querySelector('button')?.focus();
    }, focusReturnMs);
  }, []);
  useEffect(() => {
    if (shown.current === actions) return;
    shown.current = actions;
    focusFirst();
  }, [actions, focusFirst]);
  return { place, focusFirst };
};
