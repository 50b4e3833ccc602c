import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import {
  expectNoBarriers,
  expectNoSidewaysScroll,
  failedCall,
  narrow,
  phone,
  see,
  useAdminPages,
} from './harness.ts';

const { admin, openAdmin } = useAdminPages();

it('an operator creates and deactivates a code by keyboard, within their limit; a viewer only reads', async () => {
  const code = `FALL-${randomUUID().slice(0, 8).toUpperCase()}`;
  const token = await admin('operator');
  const page = await openAdmin('/admin/business', { token, expectComplaints: failedCall });
  await page.getByRole('link', { name: 'Promotions' }).press('Enter');
  await page.getByLabel('Code', { exact: true }).fill(code);
  await page.getByLabel('Percent off').fill('120');
  await page.getByLabel('Percent off').press('Enter');
  await see(page, 'Enter 100 or less');
  await page.getByLabel('Percent off').fill('50');
  await page.getByLabel('Applies to').selectOption('Every payment');
  await page.getByLabel('Percent off').press('Enter');
  await see(page, /Ask an owner to do this/);
  await page.getByLabel('Applies to').selectOption('The first payment');
  await page.getByLabel('Plan').selectOption('Monthly');
  await page.getByLabel('Maximum uses').fill('100');
  await page.getByLabel('Percent off').press('Enter');
  const row = page.getByRole('row').filter({ hasText: code });
  await row.getByText('50% off the first payment').waitFor();
  await row.getByText('monthly plan, new subscribers, up to 100 uses').waitFor();
  await expectNoBarriers(page);
  for (const viewport of [narrow, phone, { width: 1024, height: 768 }]) {
    await page.setViewportSize(viewport);
    await expectNoSidewaysScroll(page);
  }
  await row.getByRole('button', { name: `Deactivate ${code}` }).press('Enter');
  await page.getByRole('dialog').getByRole('button', { name: 'Deactivate' }).press('Enter');
  await row.getByText('Inactive').waitFor();
  const viewing = await openAdmin('/admin/business/promotions', { token: await admin('viewer') });
  await viewing.getByRole('row').filter({ hasText: code }).waitFor();
  expect(await viewing.getByRole('button', { name: 'Create Code' }).count()).toBe(0);
});
