import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';

/** Returns the focused element if it isn't visible: off screen, behind the header, or without a focus ring. */
const focusThatCannotBeSeen = (page: Page) =>
  page.evaluate(() => {
    const element = document.activeElement ?? document.body;
    // The calendar button in a date field has the browser's own ring, which scripts can't detect.
    const hasOwnRing = element.matches('input[type=date]');
    const places = [element, element.parentElement, element.nextElementSibling];
    const ringed = places.some((place) => {
      if (place === null || place === document.body) return false;
      const { outlineStyle, outlineWidth } = getComputedStyle(place);
      return outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2;
    });
    const { top, bottom } = element.getBoundingClientRect();
    const onScreen = bottom > 0 && top < window.innerHeight;
    const header = document.querySelector('[data-sticky-top]') ?? document.querySelector('header');
    const behindHeader =
      header !== null &&
      !header.contains(element) &&
      getComputedStyle(header).position === 'sticky' &&
      (top + bottom) / 2 < header.getBoundingClientRect().bottom &&
      element.closest('[role=dialog]') === null;
    return (ringed || hasOwnRing) && onScreen && !behindHeader
      ? null
      : element.outerHTML.slice(0, 150);
  });

interface Way {
  /** Whether to check each stop. */
  checksStops?: boolean;
  /** In reverse order. */
  back?: boolean;
}

/** Presses Tab until the target has the focus, checking each stop. */
export async function tabTo(
  page: Page,
  target: Locator,
  { checksStops = true, back = false }: Way = {},
): Promise<void> {
  for (let stops = 0; stops < 60; stops += 1) {
    await page.keyboard.press(back ? 'Shift+Tab' : 'Tab');
    // The page may still be scrolling.
    if (checksStops) await expect.poll(() => focusThatCannotBeSeen(page)).toBeNull();
    if (await target.evaluate((element) => element === document.activeElement)) return;
  }
  throw new Error("Tab doesn't reach the target.");
}

/** After a client-side navigation the page keeps the focus, so the next Tab starts at its beginning. */
export const expectFocusKept = (page: Page) =>
  page.waitForFunction(() => document.activeElement !== document.body);

export async function typeInto(
  page: Page,
  target: Locator,
  text: string,
  way?: Way,
): Promise<void> {
  await tabTo(page, target, way);
  await page.keyboard.type(text);
}
