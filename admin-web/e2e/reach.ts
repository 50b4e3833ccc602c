import { expect } from 'vitest';
import {
  movements,
  outOfReach,
  withoutVisibleFocus,
} from '../../deploy/system-tests/browser/reach-measures.ts';
import { desktop, expectNoSidewaysScroll, type Page } from './harness.ts';

/** Checks that everything is reachable from 320 to 2560 px, by touch and by keyboard. Ends on a desktop. */
export async function checkReach(
  page: Page,
  words: string,
  atWidth: (width: number) => Promise<void> = async () => {},
): Promise<void> {
  const path = new URL(page.url()).pathname;
  await page.locator('main').getByText(words).first().waitFor({ state: 'attached' });
  for (const width of [320, 375, 768, 2560, desktop.width]) {
    await page.setViewportSize({ width, height: 900 });
    await expectNoSidewaysScroll(page);
    if (width < 768) expect(await outOfReach(page), `${path} at ${width} px`).toEqual([]);
    await atWidth(width);
  }
  expect(await movements(page), `${path} moves for those who want it still`).toEqual([]);
  await page.keyboard.press('Tab');
  expect(await withoutVisibleFocus(page), `${path} does not show the focus`).toEqual([]);
}
