import type { Page } from 'playwright-core';

/** What a finger or the keyboard can reach. */
const interactive =
  'a[href], button, input, select, textarea, summary, [tabindex]:not([tabindex^="-"])';

declare global {
  interface Window {
    layoutShift?: number;
  }
}

/** Interactive elements on screen that are lower than a finger needs, or stand outside of the screen. Links within a sentence may be as high as its line. */
export const outOfReach = (page: Page): Promise<string[]> =>
  page.evaluate((selector) => {
    const needed = 44;
    const isInline = (element: Element) =>
      element.matches('a') &&
      getComputedStyle(element).display === 'inline' &&
      element.closest('p, li, dd, label, [class*="Text-root"]') !== null;
    /** A box or a round is as large as the words beside it, which press it too. */
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
      // Nothing to see: hidden, or kept for those who listen, or the skip link before it has the focus.
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

/** Focusable elements that look the same with the focus as without. Somebody must have used the keyboard before. */
export const withoutVisibleFocus = (page: Page): Promise<string[]> =>
  page.evaluate(async (selector) => {
    const frame = () => new Promise(requestAnimationFrame);
    const look = (element: Element): string => {
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
      await frame();
      const before = look(element);
      element.focus();
      await frame();
      await frame();
      // Inside a dialog's page the focus stays with the dialog.
      if (document.activeElement !== element) continue;
      if (look(element) === before)
        found.push(
          `${element.tagName} ${element.getAttribute('aria-label') ?? element.textContent?.slice(0, 30)}`,
        );
    }
    return found;
  }, interactive);

/** What moves for longer than an eye notices. */
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

/** Adds up what jumps, from the first paint of the next document on. */
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
