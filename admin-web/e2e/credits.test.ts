import { LostDaySettings } from '@daylift/contracts/billing.http';
import { formatDays } from '@daylift/ui/formats';
import { afterEach, expect, it } from 'vitest';
import {
  answer,
  expectNoBarriers,
  expectNoSidewaysScroll,
  phone,
  press,
  see,
  useAdminPages,
} from './harness.ts';

const pages = useAdminPages();
const { product, openAdmin } = pages;
const path = '/admin/settings/lost-days';
const settings = async () =>
  (await product.api<LostDaySettings>('GET', path, undefined, pages.owner())).body;

afterEach(async () => {
  await product.api('POST', path, { enabled: true, max_days_per_month: 31 }, pages.owner());
});

it('an owner limits the credit for lost days, and turns it off', async () => {
  const page = await openAdmin('/admin/settings/credits', { viewport: phone });
  await see(page, /up to 31 days a month/);
  const most = page.getByLabel('Maximum days per subscriber per month');
  await most.fill('32');
  await press(page, 'Save credit settings');
  await see(page, 'Enter a whole number from 1 to 31');
  await most.fill('5');
  await press(page, 'Save credit settings');
  await see(page, /up to 5 days a month/);
  expect(await settings()).toMatchObject({ enabled: true, max_days_per_month: 5 });
  await page.getByLabel('Credit days without a text').uncheck();
  await press(page, 'Save credit settings');
  await see(page, 'Credits are off: days without a text are charged in full.');
  expect((await settings()).enabled).toBe(false);
  await expectNoSidewaysScroll(page);
  await expectNoBarriers(page);
});

it('operators see the settings and can’t change them', async () => {
  const page = await openAdmin('/admin/settings/credits', { token: await pages.admin('operator') });
  await see(page, 'Only owners can change this.');
  expect(await page.getByRole('button', { name: 'Save credit settings' }).count()).toBe(0);
});

it('the dashboard shows the credits of the month', async () => {
  const current = await settings();
  const page = await openAdmin('/admin/dashboard');
  await see(page, 'Delivery Credits');
  await see(page, `for ${formatDays(current.this_month.days)} without a text this month`);
  const others = [{ currency: 'gbp', credit_cents: 950 }];
  const this_month = { days: 1234, credit_cents: 21_055, currency: 'usd', others };
  await answer(page, path, LostDaySettings, () => ({ ...current, this_month }));
  await page.reload();
  await see(page, 'for 1,234 days without a text this month');
  await see(page, '$210.55 + £9.50');
});
