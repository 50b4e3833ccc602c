import { eventually } from '@daylift/testing/eventually';
import { expect, it } from 'vitest';
import { failedCall, phone, see, useAdminPages } from './harness.ts';

const { open, openAdmin, admin, product } = useAdminPages();

it('every section of the admin pages has its own URL, title and heading', async () => {
  const page = await openAdmin('/admin/dashboard');
  await page.getByRole('tab').first().waitFor();
  // Without the counts next to them.
  const names = await page.locator('[role=tab] .mantine-Tabs-tabLabel').allTextContents();
  expect(names.slice(0, 4)).toEqual(['Dashboard', 'Subscribers', 'Messages', 'SMS System']);
  for (const name of names) {
    await page.getByRole('tab', { name: new RegExp(`^${name}`) }).click();
    await page.getByRole('heading', { level: 1, name, exact: true }).waitFor({ state: 'attached' });
    await expect.poll(() => page.title()).toContain(name);
    const address = page.url();
    await page.reload();
    await page.getByRole('heading', { level: 1, name, exact: true }).waitFor({ state: 'attached' });
    expect(page.url()).toBe(address);
  }
});

it('a missing or unknown token leads to the login', async () => {
  for (const address of ['/admin', '/admin/dashboard?tab=sms', '/admin/account']) {
    const page = await open(address);
    await see(page, 'Admin login');
    expect(new URL(page.url()).pathname).toBe('/admin/login');
  }
  const page = await openAdmin('/admin/dashboard', {
    token: 'not-a-token',
    expectComplaints: failedCall,
  });
  await see(page, 'Admin login');
  expect(await page.evaluate(() => localStorage.getItem('admin_token'))).toBeNull();
});

it('on a phone the selected section is visible in the tab strip', async () => {
  const page = await openAdmin('/admin/dashboard?tab=audit', { viewport: phone });
  const isInSight = (name: string) =>
    page.getByRole('tab', { name, selected: true }).evaluate((tab) => {
      const { left, right } = tab.getBoundingClientRect();
      return left >= 0 && right <= window.innerWidth;
    });
  await expect.poll(() => isInSight('Audit log')).toBe(true);
  await page.getByRole('tab', { name: 'Dashboard' }).press('Enter');
  await expect.poll(() => isInSight('Dashboard')).toBe(true);
});

it('another section starts at its top, and back restores the scroll position', async () => {
  const page = await openAdmin('/admin/dashboard?tab=sms');
  const offset = () => page.evaluate(() => window.scrollY);
  await page.getByRole('heading', { name: 'Delivery Log' }).scrollIntoViewIfNeeded();
  await expect.poll(offset).toBeGreaterThan(300);
  await page.getByRole('tab', { name: 'Messages' }).click();
  await page.getByRole('heading', { level: 1, name: 'Messages' }).waitFor({ state: 'attached' });
  await expect.poll(offset).toBe(0);
  await page.goBack();
  await expect.poll(offset).toBeGreaterThan(300);
});

it('logging out leads to the login, also after going back, and revokes the token', async () => {
  const token = await admin('viewer');
  const page = await openAdmin('/admin/dashboard', { token });
  await page.getByRole('tab', { name: 'Messages' }).click();
  await page.getByRole('button', { name: 'Logout' }).click();
  await see(page, 'Admin login');
  expect(await page.evaluate(() => localStorage.getItem('admin_token'))).toBeNull();
  await page.goBack();
  await see(page, 'Admin login');
  await eventually(async () => {
    const { status } = await product.api('GET', '/admin/me', undefined, token);
    return status === 401;
  });
});
