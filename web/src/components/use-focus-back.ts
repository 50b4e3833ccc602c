import { isFocusFree } from '@daylift/ui/keep-focus';
import { useEffect, useRef } from 'react';

/** Returns focus to the button that opened something, or its replacement, after closing. */
export const useFocusBack = (open: boolean) => {
  const opener = useRef<HTMLButtonElement>(null);
  const wasOpen = useRef(open);
  useEffect(() => {
    if (wasOpen.current && !open && isFocusFree()) opener.current?.focus();
    wasOpen.current = open;
  }, [open]);
  return opener;
};

/** Ref that focuses the first field of something that was just opened. */
export const focusWhenShown = (node: HTMLElement | null): void => node?.focus();
