import { useEffect, useRef } from 'react';

/** Publishes the height of what stays on screen while scrolling as `--dl-top`. */
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
