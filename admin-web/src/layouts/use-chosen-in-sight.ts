import { useEffect, useRef } from 'react';

function centre(strip: HTMLElement): void {
  const tab = strip.querySelector('[aria-selected=true]');
  if (!tab) return;
  const outer = strip.getBoundingClientRect();
  const inner = tab.getBoundingClientRect();
  const aside = inner.left + inner.width / 2 - (outer.left + outer.width / 2);
  strip.scrollBy({ left: aside, behavior: 'instant' });
}

/** Centers the selected tab in the scrolling tab strip of narrow screens. */
export const useChosenInSight = (chosen: string | null) => {
  const strip = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = strip.current;
    if (!element || chosen === null) return;
    // A tab grows when its count arrives.
    const observer = new ResizeObserver(() => centre(element));
    for (const tab of element.querySelectorAll('[role=tab]')) observer.observe(tab);
    return () => observer.disconnect();
  }, [chosen]);
  return strip;
};
