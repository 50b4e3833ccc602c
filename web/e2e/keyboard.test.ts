import { expect, test } from 'vitest';
import { expectFocusKept, tabTo, typeInto } from '../../deploy/system-tests/browser/by-keyboard.ts';
import { usePages } from './harness.ts';
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
    await typeInto(page, page.getByLabel(label), text, { looks: false });
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
