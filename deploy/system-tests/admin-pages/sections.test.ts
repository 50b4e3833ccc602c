import { expect, it } from 'vitest';
import { see, useAdminPages } from './harness.ts';

const { openAdmin } = useAdminPages();

it('every section of the admin pages has an address, a title and a heading of its own', async () => {
  const page = await openAdmin('/admin/dashboard');
  await page.getByRole('tab').first().waitFor();
  // Without the numbers that may stand beside them.
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

it('logging out leads to the login, and back leads there again', async () => {
  const page = await openAdmin('/admin/dashboard');
  await page.getByRole('tab', { name: 'Messages' }).click();
  await page.getByRole('button', { name: 'Logout' }).click();
  await see(page, 'Admin login');
  await page.goBack();
  await see(page, 'Admin login');
});
