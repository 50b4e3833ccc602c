import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { usePages } from './harness.ts';
import { aVisitor, field, onCheckoutPage, typedIn } from './signup-form.ts';

const pages = usePages();

/** What has the focus, if the eye could not find it: off the screen, or without a ring around it or its label. */
const focusThatCannotBeSeen = (page: Page) =>
  page.evaluate(() => {
    const element = document.activeElement ?? document.body;
    const places = [element, element.parentElement, element.nextElementSibling];
    const ringed = places.some((place) => {
      if (place === null || place === document.body) return false;
      const { outlineStyle, outlineWidth } = getComputedStyle(place);
      return outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2;
    });
    const { top, bottom } = element.getBoundingClientRect();
    const onScreen = bottom > 0 && top < window.innerHeight;
    return ringed && onScreen ? null : element.outerHTML.slice(0, 150);
  });

/** Presses Tab until this has the focus, looking at each stop on the way. */
async function tabTo(page: Page, target: Locator, looks = true): Promise<void> {
  for (let stops = 0; stops < 40; stops += 1) {
    await page.keyboard.press('Tab');
    // The page may still be scrolling there.
    if (looks) await expect.poll(() => focusThatCannotBeSeen(page)).toBeNull();
    if (await target.evaluate((element) => element === document.activeElement)) return;
  }
  throw new Error('Tab does not lead there.');
}

/** A page that came without a new document holds the focus, so that the next Tab goes on from its beginning. */
const expectFocusKept = (page: Page) =>
  page.waitForFunction(() => document.activeElement !== document.body);

async function typeInto(page: Page, target: Locator, text: string, looks = true): Promise<void> {
  await tabTo(page, target, looks);
  await page.keyboard.type(text);
}

test('the main job is done from the landing page to the dashboard by the keyboard alone', async () => {
  const visitor = aVisitor();
  const page = await pages.open('/');
  const { keyboard } = page;

  await tabTo(
    page,
    page
      .getByRole('main')
      .getByRole('link', { name: /Free Trial/ })
      .first(),
  );
  await keyboard.press('Enter');
  await page.waitForURL(/\/signup/);
  await field(page, 'name').waitFor();
  for (const [name, value] of Object.entries(visitor))
    await typeInto(page, field(page, name), value);
  await keyboard.press('Enter');

  await page.locator(':focus', { hasText: 'When should it arrive?' }).waitFor();
  await typeInto(page, field(page, 'timezone'), 'Denver');
  await typeInto(page, field(page, 'delivery_time'), '7:00 A');
  expect(await typedIn(page, 'timezone')).toBe('America/Denver');
  expect(await typedIn(page, 'delivery_time')).toBe('07:00');
  await tabTo(page, page.getByRole('radio', { name: 'Daily' }));
  await keyboard.press('ArrowRight');
  await expect.poll(() => page.getByRole('radio', { name: 'Weekly' }).isChecked()).toBe(true);
  await tabTo(page, page.getByRole('checkbox'));
  await keyboard.press('Space');
  await expect.poll(() => page.getByRole('checkbox').isChecked()).toBe(true);
  await tabTo(page, page.getByRole('button', { name: 'Start 3-Day Free Trial' }));
  await keyboard.press('Space');

  // The provider's own page: not ours to judge.
  await onCheckoutPage(page);
  for (const [label, text] of [
    ['Card number', '4242424242424242'],
    ['Expiry (MM/YY)', '12/34'],
    ['CVC', '123'],
    ['Name on card', visitor.name],
  ] as const)
    await typeInto(page, page.getByLabel(label), text, false);
  await keyboard.press('Enter');

  await page.getByRole('heading', { level: 1, name: 'Welcome to Daylift!' }).waitFor();
  await tabTo(page, page.getByRole('link', { name: 'Sign In to Your Dashboard' }));
  await keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Welcome back' }).waitFor();
  await expectFocusKept(page);
  await typeInto(page, page.getByLabel('Email or phone'), visitor.email);
  await typeInto(page, field(page, 'password'), visitor.password);
  await keyboard.press('Enter');

  const tab = (name: string, selected: boolean) => page.getByRole('tab', { name, selected });
  await tab('Overview', true).waitFor();
  await expectFocusKept(page);
  await tabTo(page, tab('Overview', true));
  await keyboard.press('ArrowRight');
  await tab('Settings', true).waitFor();
  const edit = page.getByRole('button', { name: 'Edit' }).first();
  await edit.waitFor();
  await tabTo(page, edit);
});
