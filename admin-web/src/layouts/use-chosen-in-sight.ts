import { useEffect, useRef } from 'react';

function centre(strip: HTMLElement): void {
  const tab = strip.querySelector('[aria-selected=true]');
  if (!tab) return;
  const outer = strip.getBoundingClientRect();
  const inner = tab.getBoundingClientRect();
  const aside = inner.left + inner.width / 2 - (outer.left + outer.width / 2);
  strip.scrollBy({ left: aside, behavior: 'instant' });
}

/** On a narrow screen the sections stand in a strip that scrolls; the chosen one comes to its middle. */
export const useChosenInSight = (chosen: string | null) => {
  const strip = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = strip.current;
    if (!element || chosen === null) return;
    // A section grows by the number beside it, which comes later.
    const observer = new ResizeObserver(() => centre(element));
    for (const tab of element.querySelectorAll('[role=tab]')) observer.observe(tab);
    return () => observer.disconnect();
  }, [chosen]);
  return strip;
};
