import { useEffect, useRef } from 'react';

/** Sets `--dl-top` to the height of the sticky header. */
export const useTopHeight = () => {
  const top = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = top.current;
    if (!element) return;
    const { style } = document.documentElement;
    const observer = new ResizeObserver(() =>
      style.setProperty('--dl-top', `${element.offsetHeight}px`),
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return top;
};
