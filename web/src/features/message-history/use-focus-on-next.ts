import { useEffect, useRef } from 'react';

/**
 * Where a press makes a list longer, the keyboard goes on at the first new item: the button is locked meanwhile and may
 * be gone afterwards, so that the focus would be nowhere. Whoever has gone on to something else stays there.
 */
export const useFocusOnNext = (length: number) => {
  const list = useRef<HTMLUListElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const next = useRef<number | null>(null);
  useEffect(() => {
    if (next.current === null || length <= next.current) return;
    const item = list.current?.children[next.current];
    next.current = null;
    const { activeElement } = document;
    const isFree = activeElement === document.body || activeElement === button.current;
    if (isFree && item instanceof HTMLElement) item.focus();
  }, [length]);
  return {
    list,
    button,
    focusNext: () => {
      next.current = length;
    },
  };
};
