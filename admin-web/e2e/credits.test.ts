import type { LostDaySettings } from '@daylift/contracts/billing.http';
import { afterEach, expect, it } from 'vitest';
import {
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
