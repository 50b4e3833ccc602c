import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';

/** What has the focus, if the eye could not find it: off the screen, behind its header, or without a ring around it or its label. */
const focusThatCannotBeSeen = (page: Page) =>
  page.evaluate(() => {
    const element = document.activeElement ?? document.body;
    // The calendar button within a field of a date has the browser's own ring, which no script can look at.
    const hasOwnRing = element.matches('input[type=date]');
    const places = [element, element.parentElement, element.nextElementSibling];
    const ringed = places.some((place) => {
      if (place === null || place === document.body) return false;
      const { outlineStyle, outlineWidth } = getComputedStyle(place);
      return outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2;
    });
    const { top, bottom } = element.getBoundingClientRect();
    const onScreen = bottom > 0 && top < window.innerHeight;
    const header = document.querySelector('header');
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
  /** Whether each stop on the way is looked at. */
  looks?: boolean;
  /** Against the order of the page. */
  back?: boolean;
}

/** Presses Tab until this has the focus, looking at each stop on the way. */
export async function tabTo(
  page: Page,
  target: Locator,
  { looks = true, back = false }: Way = {},
): Promise<void> {
  for (let stops = 0; stops < 60; stops += 1) {
    await page.keyboard.press(back ? 'Shift+Tab' : 'Tab');
    // The page may still be scrolling there.
    if (looks) await expect.poll(() => focusThatCannotBeSeen(page)).toBeNull();
    if (await target.evaluate((element) => element === document.activeElement)) return;
  }
  throw new Error('Tab does not lead there.');
}

/** A page that came without a new document holds the focus, so that the next Tab goes on from its beginning. */
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
