import { expect, test } from 'vitest';
import { expectFocusKept, tabTo, typeInto } from '../../deploy/system-tests/browser/by-keyboard.ts';
import { aPhone, usePages } from './harness.ts';
import { aVisitor, field, onCheckoutPage, typedIn } from './signup-form.ts';

const pages = usePages();

test('the main flow works from the landing page to the dashboard with the keyboard alone', async () => {
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

  // The provider's page isn't tested.
  await onCheckoutPage(page);
  for (const [label, text] of [
    ['Card number', '4242424242424242'],
    ['Expiry (MM/YY)', '12/34'],
    ['CVC', '123'],
    ['Name on card', visitor.name],
  ] as const)
    await typeInto(page, page.getByLabel(label), text, { checksStops: false });
  await keyboard.press('Enter');

  await page.getByRole('heading', { level: 1, name: 'Welcome to Daylift!' }).waitFor();
  await tabTo(page, page.getByRole('link', { name: 'Sign In to Your Dashboard' }));
  await keyboard.press('Enter');

  const tab = (name: string, selected: boolean) => page.getByRole('tab', { name, selected });
  await tab('Overview', true).waitFor();
  await expectFocusKept(page);
  await tabTo(page, tab('Overview', true));
  for (const next of ['Plan', 'Settings']) {
    await keyboard.press('ArrowRight');
    await tab(next, true).waitFor();
  }
  const edit = page.getByRole('button', { name: 'Edit' }).first();
  await edit.waitFor();
  await tabTo(page, edit);
});

/** Returns the contrast ratio of an element's outline and the card around it. */
const outlineContrast = (element: Element): number => {
  const luminance = (color: string) => {
    const [red = 0, green = 0, blue = 0] = (color.match(/\d+/g) ?? []).map((channel) => {
      const share = Number(channel) / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05;
  };
  const card = element.closest('.card') ?? element;
  const ratio =
    luminance(getComputedStyle(element).outlineColor) /
    luminance(getComputedStyle(card).backgroundColor);
  return Math.max(ratio, 1 / ratio);
};

test("a sandbox phone's messages scroll by keyboard, with a clear outline in both themes", async () => {
  const number = aPhone();
  await pages.product.reply(number, 'A long reply\n'.repeat(40).trim());
  const page = await pages.open('/');
  await page.goto(pages.product.urls.sandbox);
  await page.getByRole('button', { name: number }).click();
  const messages = page.getByRole('list', { name: 'Messages' });
  await messages.getByText('A long reply').waitFor();
  await tabTo(page, messages, { back: true });
  const scrolled = () => messages.evaluate((list) => list.scrollTop);
  await expect.poll(scrolled).toBeGreaterThan(0);
  await page.keyboard.press('Home');
  await expect.poll(scrolled).toBe(0);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    expect(await messages.evaluate(outlineContrast)).toBeGreaterThanOrEqual(3);
  }
});
