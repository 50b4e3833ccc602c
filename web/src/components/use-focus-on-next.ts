import { useEffect, useRef } from 'react';

/**
 * Moves focus to the first new item after "Load more", because its button is disabled or gone by then. Does nothing if
 * the user has focused something else.
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
