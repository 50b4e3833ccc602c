import { expect, it } from 'vitest';
import { anAdmin, logIn } from '../../deploy/system-tests/admins.ts';
import {
  desktop,
  expectNoBarriers,
  expectNoSidewaysScroll,
  mockCalls,
  narrow,
  phone,
  press,
  see,
  useAdminPages,
} from './harness.ts';

const { product, openAdmin, owner, subscriber } = useAdminPages();
const tab = '/admin/settings/audit-log';

it('shows actor, action, target, time and address, and that the log is complete, on every screen', async () => {
  const vera = await anAdmin(product, owner(), 'viewer');
  await product.api('PUT', `/admin/admins/${vera.id}`, { role: 'operator' }, owner());
  const page = await openAdmin(`${tab}?target=${vera.id}`);
  const row = page.getByRole('row').filter({ hasText: "Changed an admin's role" });
  await row.getByText(vera.username).waitFor();
  await row.getByText('From: Viewer').waitFor();
  await row.getByText('To: Operator').waitFor();
  await expect.poll(() => row.locator('time').getAttribute('datetime')).toMatch(/^2027-04/);
  await expect.poll(() => row.textContent()).toMatch(/127\.0\.0\.1|::1|::ffff/);
  await see(page, /Verified through entry \d/);
  // Checking accessibility in every row of a long log takes minutes and finds nothing new.
  for (const viewport of [desktop, narrow, phone]) {
    await page.setViewportSize(viewport);
    await expectNoSidewaysScroll(page);
    if (viewport !== narrow) await expectNoBarriers(page);
  }
});

it('filters by the name or email of a target, and links to it', async () => {
  const person = await subscriber({ name: 'Tara Target' }, false);
  const path = `/admin/users/${person.id}/toggle-status`;
  await product.api('POST', path, {}, owner());
  const page = await openAdmin(tab);
  for (const words of ['tara target', person.email]) {
    await page.getByLabel('Target', { exact: true }).fill(words);
    await page.getByRole('button', { name: 'Show', exact: true }).click();
    const row = page.getByRole('row').filter({ hasText: 'Paused a subscriber' });
    await row.getByRole('link', { name: 'Tara Target' }).waitFor();
    await expect.poll(() => page.getByRole('row').count()).toBeLessThan(4);
  }
  await page.getByRole('link', { name: 'Tara Target' }).first().click();
  await page.getByRole('heading', { level: 1, name: 'Tara Target' }).waitFor();
});

it('retries after a load error, filters by admin, loads more, and keeps the filters in the URL', async () => {
  const vera = await anAdmin(product, owner(), 'operator');
  for (let times = 0; times < 55; times += 1) await logIn(product, vera);
  let broken = true;
  const page = await openAdmin(tab, {
    expectComplaints: /status of 500/,
    prepare: (one) =>
      mockCalls(one, '/admin/audit-log', () => (broken ? { status: 500, json: 'no' } : undefined)),
  });
  await see(page, 'Error loading the audit log. Please try again.');
  broken = false;
  await press(page, /again/i);
  await page.getByRole('table').waitFor();
  await page.getByLabel('Admin', { exact: true }).fill(vera.username);
  await page.getByLabel('Action', { exact: true }).selectOption('admin.logged_in');
  await page.getByRole('button', { name: 'Show', exact: true }).click();
  const rows = page.getByRole('row').filter({ hasText: 'Signed in' });
  await expect.poll(() => rows.count()).toBe(50);
  await press(page, 'Show older entries');
  await expect.poll(() => rows.count()).toBe(56);
  expect(page.url()).toContain(`admin=${vera.username}`);
  await page.reload();
  await expect.poll(() => rows.count()).toBe(50);
  await page.getByLabel('To', { exact: true }).fill('2020-01-01');
  await page.getByRole('button', { name: 'Show', exact: true }).click();
  await see(page, 'No matching entries');
  await press(page, 'Clear filters');
  await page.getByRole('table').waitFor();
  expect(page.url()).not.toContain('admin=');
});

it.each(['viewer', 'operator'] as const)(
  'is closed to a %s, without a link to it',
  async (role) => {
    const { token } = await anAdmin(product, owner(), role);
    const page = await openAdmin(tab, { token });
    await see(page, 'Only owners can see the audit log');
    expect(await page.getByRole('link', { name: 'Audit log' }).count()).toBe(0);
  },
);
