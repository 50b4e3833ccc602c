import { useEffect, useRef } from 'react';

/** Focus returns to the button that opened something, or goes on to the one in its place, once that is closed and would leave it nowhere. */
export const useFocusBack = (open: boolean) => {
  const opener = useRef<HTMLButtonElement>(null);
  const wasOpen = useRef(open);
  useEffect(() => {
    if (wasOpen.current && !open && document.activeElement === document.body)
      opener.current?.focus();
    wasOpen.current = open;
  }, [open]);
  return opener;
};

/** A ref for the first field of what was just opened by a press. */
export const focusWhenShown = (node: HTMLElement | null): void => node?.focus();
