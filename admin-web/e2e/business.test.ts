import { readFile } from 'node:fs/promises';
import { Business } from '@daylift/contracts/business.http';
import { beforeAll, expect, it } from 'vitest';
import {
  answer,
  expectNoBarriers,
  expectNoSidewaysScroll,
  failedCall,
  narrow,
  phone,
  see,
  useAdminPages,
} from './harness.ts';

const { admin, openAdmin, owner, product, subscriber } = useAdminPages();
beforeAll(async () => {
  const { token } = await subscriber();
  await product.settle();
  await product.api('POST', '/users/me/plan/upgrade', { plan: 'monthly' }, token);
  await product.settle();
});

const money = (cents: number | null | undefined) =>
  new Intl.NumberFormat('en-US', { style: 'currency', currency: 'usd' }).format((cents ?? 0) / 100);
const read = async (query = '') =>
  (await product.api<Business>('GET', `/admin/business${query}`, undefined, owner())).body;

it('an operator sees the figures of the last 30 days, explained, exports them, and takes another range', async () => {
  const { from, to, figures } = await read();
  const mrr = figures.find(({ id }) => id === 'mrr_end')!;
  expect(mrr.value).toBeGreaterThan(0);
  const page = await openAdmin('/admin/business', {
    token: await admin('operator'),
    expectComplaints: failedCall,
  });
  const row = page.getByRole('row').filter({ hasText: 'MRR at end' });
  await row.getByText(money(mrr.value), { exact: true }).waitFor();
  await row.getByRole('button', { name: 'What MRR at end means' }).hover();
  await page.getByRole('tooltip').filter({ hasText: 'MRR at start + new' }).waitFor();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export CSV' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe(`business-${from}-${to}.csv`);
  const csv = await readFile(await download.path(), 'utf8');
  const arpu = figures.find(({ id }) => id === 'arpu')!;
  expect(csv).toContain(`\r\nARPU,usd,${(arpu.value! / 100).toFixed(2)},`);

  // From the first day until today is too long.
  const lastDay = page.getByLabel('Last day');
  await page.getByLabel('First day').fill('2026-01-01');
  for (const wrong of ['2025-12-31', '2027-01-31']) {
    await lastDay.fill(wrong);
    await see(page, 'Choose a range of up to 366 days, with the last day on or after the first.');
    await expect.poll(() => lastDay.getAttribute('aria-invalid')).toBe('true');
    const explanation = () =>
      lastDay.evaluate((input) =>
        input.ariaDescribedByElements?.map(({ textContent }) => textContent).join(),
      );
    await expect.poll(explanation).toMatch(/^Choose a range/);
    expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(0);
  }
  await lastDay.fill('2026-01-31');
  await see(page, 'Compared with Dec 1, 2025 to Dec 31, 2025.');
  expect(await lastDay.getAttribute('aria-invalid')).not.toBe('true');
  await row.getByText('$0.00', { exact: true }).first().waitFor();
  expect(page.url()).toContain('from=2026-01-01');
});

it('a viewer reads it on every screen, with later sections folded on a phone', async () => {
  const page = await openAdmin('/admin/business', {
    token: await admin('viewer'),
    viewport: phone,
  });
  await page.getByRole('cell').first().waitFor();
  await expectNoBarriers(page);
  const arpu = page.getByRole('row').filter({ hasText: 'ARPU' });
  expect(await arpu.isVisible()).toBe(false);
  await page.getByRole('button', { name: 'Show Subscribers' }).click();
  await arpu.waitFor();
  await page.getByRole('button', { name: 'Hide Subscribers', expanded: true }).waitFor();
  for (const viewport of [narrow, phone, { width: 768, height: 1024 }]) {
    await page.setViewportSize(viewport);
    await expectNoSidewaysScroll(page);
  }
  await expectNoBarriers(page);
  expect(await page.getByRole('button', { name: 'Export CSV' }).count()).toBe(0);
});

it('shows one currency at a time, chosen on the page', async () => {
  const { currencies: _, ...dollars } = await read();
  let isOldBilling = true;
  const bodyOf = (query: URLSearchParams): Business => {
    const isPounds = query.get('currency') === 'gbp';
    const value = isPounds ? 44_900 : 49_900;
    return {
      ...dollars,
      currency: isPounds ? 'gbp' : 'usd',
      ...(!isOldBilling && { currencies: ['usd', 'gbp'] }),
      figures: dollars.figures.map((figure) =>
        figure.id === 'mrr_end' ? { ...figure, value } : figure,
      ),
    };
  };
  const page = await openAdmin('/admin/business', {
    prepare: (blank) => answer(blank, '/admin/business', Business, bodyOf),
  });
  const row = page.getByRole('row').filter({ hasText: 'MRR at end' });
  await row.getByText('$499.00', { exact: true }).waitFor();
  expect(await page.getByLabel('Currency').count()).toBe(0);
  isOldBilling = false;
  await page.reload();
  await page.getByLabel('Currency').selectOption('gbp');
  await row.getByText('£449.00', { exact: true }).waitFor();
  await see(page, 'Amounts and subscribers in GBP only.');
  const button = page.getByRole('button', { name: 'Export CSV' });
  const [download] = await Promise.all([page.waitForEvent('download'), button.click()]);
  expect(download.suggestedFilename()).toMatch(/^business-gbp-/);
  expect(await readFile(await download.path(), 'utf8')).toContain('\r\nMRR at end,gbp,449.00,');
});
