import type { Page } from 'playwright-core';

/** Elements that can be focused or touched. */
const interactive =
  'a[href], button, input, select, textarea, summary, [tabindex]:not([tabindex^="-"])';

declare global {
  interface Window {
    layoutShift?: number;
  }
}

/**
 * Returns interactive elements on screen that are too small for touch or off screen. Links in a sentence may be as high
 * as their line.
 */
export const outOfReach = (page: Page): Promise<string[]> =>
  page.evaluate((selector) => {
    const needed = 44;
    const isInline = (element: Element) =>
      element.matches('a') &&
      getComputedStyle(element).display === 'inline' &&
      element.closest('p, li, dd, label, [class*="Text-root"]') !== null;
    /** A checkbox or radio is as large as its label, which also activates it. */
    const targetOf = (element: Element): Element => {
      if (!(element instanceof HTMLInputElement) || !/radio|checkbox/.test(element.type))
        return element;
      return (
        element.labels?.[0]?.parentElement?.closest('[class*="body"]') ??
        element.labels?.[0] ??
        element
      );
    };
    const scrolls = (element: Element | null): boolean =>
      element !== null &&
      (/auto|scroll/.test(getComputedStyle(element).overflowX) || scrolls(element.parentElement));
    const found: string[] = [];
    for (const element of document.querySelectorAll(selector)) {
      const target = targetOf(element);
      const box = target.getBoundingClientRect();
      const name = `${element.tagName} ${element.getAttribute('aria-label') ?? element.textContent?.slice(0, 30)}`;
      // Hidden, for screen readers only, or the skip link without focus.
      if (
        !target.checkVisibility({ visibilityProperty: true }) ||
        box.height <= 1 ||
        box.bottom < 0
      )
        continue;
      if (!isInline(element) && box.height < needed - 0.5)
        found.push(`${name}: ${box.height.toFixed(1)} px high`);
      if ((box.left < -0.5 || box.right > innerWidth + 0.5) && !scrolls(element.parentElement))
        found.push(`${name}: from ${box.left} to ${box.right} px`);
    }
    return found;
  }, interactive);

/** Returns focusable elements without a visible focus. Requires earlier keyboard input. */
export const withoutVisibleFocus = (page: Page): Promise<string[]> =>
  page.evaluate(async (selector) => {
    const frame = () => new Promise(requestAnimationFrame);
    const appearanceOf = (element: Element): string => {
      const places = [
        element,
        element.parentElement,
        element.nextElementSibling,
        element instanceof HTMLInputElement ? element.labels?.[0] : null,
      ];
      return places
        .map((place) => {
          if (!place) return '';
          const { outline, boxShadow, borderColor, backgroundColor } = getComputedStyle(place);
          return [outline, boxShadow, borderColor, backgroundColor].join(' ');
        })
        .join(' | ');
    };
    const found: string[] = [];
    for (const element of document.querySelectorAll<HTMLElement>(selector)) {
      if (element.matches(':disabled') || !element.checkVisibility({ visibilityProperty: true }))
        continue;
      (document.activeElement as HTMLElement | null)?.blur();
      const before = appearanceOf(element);
      element.focus();
      // Most are styled by the focus itself, the others by scripts.
      if (appearanceOf(element) !== before) continue;
      await frame();
      await frame();
      // A dialog keeps the focus inside.
      if (document.activeElement !== element) continue;
      if (appearanceOf(element) === before)
        found.push(
          `${element.tagName} ${element.getAttribute('aria-label') ?? element.textContent?.slice(0, 30)}`,
        );
    }
    return found;
  }, interactive);

/** Returns animations longer than a blink. */
export const movements = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    document
      .getAnimations()
      .filter((one) => Number(one.effect?.getComputedTiming().endTime ?? 0) > 100)
      .map((one) => {
        const { target } = one.effect as KeyframeEffect;
        return `${target?.tagName} ${target?.className}`;
      }),
  );

/** Records layout shift from the first paint of the next document. */
export const watchLayoutShift = (page: Page) =>
  page.addInitScript(() => {
    window.layoutShift = 0;
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & {
        value: number;
        hadRecentInput: boolean;
      })[])
        if (!entry.hadRecentInput) window.layoutShift = (window.layoutShift ?? 0) + entry.value;
    }).observe({ type: 'layout-shift', buffered: true });
  });

export const layoutShift = (page: Page): Promise<number> =>
  page.evaluate(() => window.layoutShift ?? Number.NaN);
