import { eventually } from '@daylift/testing/eventually';
import { beforeAll, expect, it } from 'vitest';
import { anAdmin } from '../../deploy/system-tests/admins.ts';
import { expectNoBarriers, failedCall, pageLink, phone, see, useAdminPages } from './harness.ts';
import { checkReach } from './reach.ts';

const { open, openAdmin, owner, product, subscriber } = useAdminPages();
beforeAll(async () => {
  await subscriber({ name: 'Rhea Reach' });
});

/** Text that each page shows once it has loaded. The dashboard's reach is checked in its own test. */
const loaded = new Map([
  ['subscribers', 'Rhea Reach'],
  ['messages', 'Quick Actions'],
  ['messages/calendar', 'Next 60 Days'],
  ['messages/library', '1 to 25 of'],
  ['sms-system', 'Alert Settings'],
  ['sms-system/statistics', 'Delivery Time Distribution'],
  ['sms-system/batches', 'Recent Batches'],
  ['sms-system/delivery-log', 'Delivery Log'],
  ['sms-system/provider', 'Cost per message part'],
  ['forecast', 'Busiest hour'],
  ['undelivered', 'Undelivered on'],
  ['inbox', 'Messages and replies'],
  ['failed-events', 'failed'],
  ['settings/faqs', 'Add Question'],
  ['settings/admins', 'Invite an admin'],
  ['settings/audit-log', 'Verified through entry'],
]);

it('every page and section has its own address, title and heading, and is reachable on every screen', async () => {
  const page = await openAdmin('/admin/dashboard');
  const links = page.getByRole('navigation', { name: 'Pages' }).getByRole('link');
  await pageLink(page, 'Settings').waitFor();
  // Without the counts next to them.
  const names = await links.locator('> span:first-of-type').allTextContents();
  expect(names.slice(0, 4)).toEqual(['Dashboard', 'Subscribers', 'Messages', 'SMS System']);
  const heading = (name: string) => page.getByRole('heading', { level: 1, name, exact: true });
  const unchecked = new Map(loaded);
  const checkAddress = async () => {
    const section = new URL(page.url()).pathname.slice('/admin/'.length);
    const words = unchecked.get(section);
    if (words !== undefined) await checkReach(page, words);
    unchecked.delete(section);
  };
  for (const name of names) {
    await pageLink(page, name).click();
    await heading(name).waitFor();
    await expect.poll(() => page.title()).toContain(name);
    const sections = page.getByRole('navigation', { name: `${name} sections` }).getByRole('link');
    const all = await sections.all();
    if (all.length === 0) await checkAddress();
    for (const section of all) {
      await section.click();
      await page.locator('nav a[aria-current=page]').and(section).waitFor();
      const title = `${await section.textContent()} · ${name}`;
      await expect.poll(() => page.title()).toContain(title);
      await checkAddress();
    }
  }
  expect([...unchecked.keys()], 'sections without a link').toEqual([]);
  const address = page.url();
  await page.reload();
  await heading(names.at(-1) ?? '').waitFor();
  expect(page.url()).toBe(address);
});

it('everything is reachable on the account page, the login and an invitation', async () => {
  const page = await openAdmin('/admin/account');
  await checkReach(page, 'Two-step sign-in');
  const go = (path: string) => page.goto(`${product.urls.gateway}/admin/${path}`);
  await page.evaluate(() => localStorage.clear());
  await go(`invitation#${'a'.repeat(43)}`);
  await checkReach(page, 'Choose your password');
  await go('login');
  await checkReach(page, 'Admin login');
});

it('a missing or unknown token leads to the login', async () => {
  const signedOut = await open('/admin');
  for (const path of ['', '/dashboard?tab=sms', '/account']) {
    if (path !== '') await signedOut.goto(`${product.urls.gateway}/admin${path}`);
    await see(signedOut, 'Admin login');
    expect(new URL(signedOut.url()).pathname).toBe('/admin/login');
  }
  const page = await openAdmin('/admin/dashboard', {
    token: 'not-a-token',
    expectComplaints: failedCall,
  });
  await see(page, 'Admin login');
  expect(await page.evaluate(() => localStorage.getItem('admin_token'))).toBeNull();
});

it('on a phone, the navigation is one row with a menu for the other pages', async () => {
  const page = await openAdmin('/admin/dashboard?tab=audit&admin=vera', { viewport: phone });
  await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
  expect(new URL(page.url()).search).toBe('?admin=vera');
  const row = page.getByRole('navigation', { name: 'Pages', exact: true });
  const tops = await row
    .locator('a, button')
    .evaluateAll((items) => items.map((item) => item.getBoundingClientRect().top));
  expect(new Set(tops).size).toBe(1);
  const more = row.getByRole('button', { name: 'More' });
  await more.press('Enter');
  const menu = page.getByRole('navigation', { name: 'More pages' });
  await menu.getByRole('link', { name: 'Settings' }).waitFor();
  await expectNoBarriers(page);
  await page.keyboard.press('Escape');
  await menu.waitFor({ state: 'detached' });
  await page.locator('button:focus').and(more).waitFor();
  await more.click();
  await menu.getByRole('link', { name: 'Forecast' }).click();
  await page.getByRole('heading', { level: 1, name: 'Forecast' }).waitFor();
  await menu.waitFor({ state: 'detached' });
});

it('a new page opens at the top, and Back restores the scroll position', async () => {
  const page = await openAdmin('/admin/messages/library');
  const offset = () => page.evaluate(() => window.scrollY);
  await page.getByText('1 to 25 of').scrollIntoViewIfNeeded();
  await expect.poll(offset).toBeGreaterThan(300);
  await pageLink(page, 'Subscribers').click();
  await page.getByRole('heading', { level: 1, name: 'Subscribers' }).waitFor();
  await expect.poll(offset).toBe(0);
  await page.goBack();
  await expect.poll(offset).toBeGreaterThan(300);
});

it('logging out leads to the login, even after going back, and revokes the token', async () => {
  const { token } = await anAdmin(product, owner(), 'viewer');
  const page = await openAdmin('/admin/account', { token });
  await pageLink(page, 'Messages').click();
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
