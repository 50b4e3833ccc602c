import { randomUUID } from 'node:crypto';
import type { Gift } from '@daylift/contracts/gifts.http';
import { type MovePricesRequest, PriceMoves } from '@daylift/contracts/price-moves.http';
import { expect, it } from 'vitest';
import {
  answer,
  desktop,
  expectNoBarriers,
  expectNoSidewaysScroll,
  failedCall,
  mockCalls,
  narrow,
  type Page,
  phone,
  see,
  useAdminPages,
} from './harness.ts';

const { admin, openAdmin } = useAdminPages();

it('promotions, gifts and prices explain themselves while there are none, and those beyond the first page can be reached', async () => {
  const code = (n: number) => ({
    ...{ id: randomUUID(), code: `CODE-${n}`, kind: 'percent' as const, value: 50, months: 1 },
    ...{ currency: 'usd' as const, plan: null, max_uses: null, first_time_only: true },
    ...{ created_by: 'olive', gives: '50% off the first payment', state: 'active' as const },
    ...{ uses: 0, paying: 0, revenue_cents: 0, discount_cents: 0, others: [], expires_at: null },
    ...{ created_at: '2027-03-11T09:00:00.000Z', url: 'https://daylift.test/signup?promo=CODE' },
  });
  const gift = (n: number): Gift => ({
    ...{ id: randomUUID(), months: 3, state: 'ready', buyer_name: `Buyer ${n}` },
    ...{ buyer_email: `buyer-${n}@example.com`, paid_cents: 1497, currency: 'usd' },
    ...{ bought_at: '2027-03-11T09:00:00.000Z', redeemed_at: null, redeemed_by: null },
  });
  let total = 0;
  const page = await openAdmin('/admin/business/promotions', {
    viewport: phone,
    prepare: async (blank) => {
      await answer(blank, '/admin/price-moves', PriceMoves, () => ({
        groups: [],
        moves: [],
        currency: 'usd' as const,
      }));
      for (const [path, row] of [
        ['/admin/gifts', gift] as const,
        ['/admin/promotions', code] as const,
      ])
        await mockCalls(blank, path, ({ url }) => {
          const from = Number(url.searchParams.get('offset'));
          const count = Math.max(0, Math.min(Number(url.searchParams.get('limit')), total - from));
          return {
            json: Array.from({ length: count }, (_, n) => row(from + n + 1)),
            headers: { 'x-total-count': String(total) },
          };
        });
    },
  });
  await see(page, /Create the first one below, then share its link\./);
  await page.getByRole('link', { name: 'Gifts' }).click();
  await see(page, /Visitors buy them on the product's gift page/);
  await page.getByRole('link', { name: 'Prices' }).click();
  await see(page, /subscribers who still pay an earlier price appear here/);
  await see(page, /Start one above/);
  await expectNoSidewaysScroll(page);
  await expectNoBarriers(page);

  total = 601;
  await page.setViewportSize(desktop);
  await page.goto(new URL('gifts', page.url()).href);
  await see(page, '1 to 100 of 601');
  await page.getByRole('button', { name: '7', exact: true }).click();
  await page.getByRole('button', { name: 'Resend link to buyer-601@example.com' }).waitFor();
  await expectNoBarriers(page);
  await page.getByRole('link', { name: 'Promotions' }).click();
  await page.getByRole('button', { name: '7', exact: true }).click();
  await page.getByRole('button', { name: 'Deactivate CODE-601' }).waitFor();
});

it('an operator creates and deactivates a code by keyboard, within their limit; a viewer only reads', async () => {
  const code = `FALL-${randomUUID().slice(0, 8).toUpperCase()}`;
  const token = await admin('operator');
  const page = await openAdmin('/admin/business', { token, expectComplaints: failedCall });
  await page.getByRole('link', { name: 'Promotions' }).press('Enter');
  // Only owners change prices.
  expect(await page.getByRole('link', { name: 'Prices' }).count()).toBe(0);
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

it('an owner moves subscribers to a new price and stops it by keyboard, with reasons, and sees its progress', async () => {
  const group = {
    ...{ plan: 'monthly' as const, currency: 'gbp' as const, from_cents: 499, to_cents: 599 },
    subscribers: 1240,
    ...{ first_at: '2027-04-12T09:00:00.000Z', last_at: '2027-05-11T09:00:00.000Z' },
  };
  const move = {
    // The version of billing before rows had a currency.
    ...{ id: randomUUID(), plan: 'monthly' as const, from_cents: 499, to_cents: 599 },
    ...{
      reason: 'Texts cost more',
      created_at: '2027-03-11T09:00:00.000Z',
      created_by: 'olive',
      stopped_at: null,
    },
    ...{ planned: 0, announced: 1100, applied: 100, declined: 31, dropped: 9 },
  };
  const requests: MovePricesRequest[] = [];
  const stopped: unknown[] = [];
  const isStopped = () => stopped.length > 0;
  const bodyOf = (): PriceMoves => ({
    groups: requests.length === 0 ? [group] : [],
    moves:
      requests.length === 0 ? [] : [{ ...move, stopped_at: isStopped() ? move.created_at : null }],
    currency: 'usd',
  });
  const page = await openAdmin('/admin/business/prices', {
    prepare: async (blank) => {
      await answer(blank, '/admin/price-moves', PriceMoves, bodyOf);
      await blank.route('**/api/admin/price-moves', (route) => {
        if (route.request().method() !== 'POST') return route.fallback();
        requests.push(route.request().postDataJSON());
        return route.fulfill({ json: bodyOf() });
      });
      await blank.route(`**/api/admin/price-moves/${move.id}/stop`, (route) => {
        stopped.push(route.request().postDataJSON());
        return route.fulfill({ json: bodyOf() });
      });
    },
  });
  await page.getByRole('button', { name: 'Move monthly subscribers from £4.99' }).press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Move 1,240 subscribers to £5.99?' });
  const confirm = dialog.getByRole('button', { name: 'Email 1,240 subscribers' });
  expect(await confirm.isDisabled()).toBe(true);
  await dialog.getByLabel('Reason').fill('Texts cost more');
  await expectNoBarriers(page, '[role=dialog]');
  await confirm.press('Enter');
  const row = page.getByRole('row').filter({ hasText: '1,100' });
  await row.getByText('olive').waitFor();
  await row.getByText('$5.99').waitFor();
  expect(requests).toMatchObject([
    { plan: 'monthly', currency: 'gbp', from_cents: 499, reason: 'Texts cost more' },
  ]);
  await expectNoBarriers(page);
  for (const viewport of [narrow, phone, { width: 1024, height: 768 }]) {
    await page.setViewportSize(viewport);
    await expectNoSidewaysScroll(page);
  }
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.getByRole('button', { name: 'Stop the move of monthly' }).press('Enter');
  const stopping = page.getByRole('dialog', { name: 'Stop this price move?' });
  await stopping.getByText('Already emailed: 1,100 subscribers').waitFor();
  await stopping.getByLabel('Reason').fill('Costs fell again');
  await stopping.getByRole('button', { name: 'Stop move' }).press('Enter');
  await page.getByText('Stopped Mar 11, 2027').waitFor();
  expect(stopped).toEqual([{ reason: 'Costs fell again' }]);
});

it('an operator resends and voids gifts by keyboard, an owner erases their buyer; a viewer only reads', async () => {
  const gift: Gift = {
    ...{ id: randomUUID(), months: 3, state: 'ready', paid_cents: 1497, currency: 'usd' },
    ...{ buyer_name: 'Grace Giver', buyer_email: 'grace@buyers.example' },
    ...{ bought_at: '2027-03-06T12:00:00.000Z', redeemed_at: null, redeemed_by: null },
  };
  const redeemed: Gift = {
    ...{ ...gift, id: randomUUID(), state: 'redeemed', buyer_email: 'ada@buyers.example' },
    ...{ redeemed_at: '2027-03-06T12:00:00.000Z', redeemed_by: { id: gift.id, name: 'Rae' } },
  };
  const acted: string[] = [];
  const reasons: unknown[] = [];
  const prepare = async (blank: Page) => {
    await mockCalls(blank, '/admin/gifts', () => ({
      json: [
        { ...gift, state: acted.includes('void') ? 'void' : gift.state },
        { ...redeemed, ...(reasons.length > 0 && { buyer_name: '', buyer_email: '' }) },
      ],
      headers: { 'x-total-count': '2' },
    }));
    await mockCalls(blank, `/admin/gifts/${gift.id}/*`, ({ url }) => {
      acted.push(url.pathname.split('/').at(-1) ?? '');
      return { json: gift };
    });
    await mockCalls(blank, `/admin/gifts/${redeemed.id}/erase-buyer`, ({ body }) => {
      reasons.push(body());
      return { json: redeemed };
    });
  };
  const page = await openAdmin('/admin/business/gifts', {
    token: await admin('operator'),
    prepare,
  });
  const row = page.getByRole('row').filter({ hasText: gift.buyer_email });
  await row.getByRole('button', { name: /^Resend/ }).press('Enter');
  await page.getByRole('dialog').getByRole('button', { name: 'Resend link' }).press('Enter');
  await see(page, 'Link sent to the buyer.');
  await row.getByRole('button', { name: /^Void/ }).press('Enter');
  await expectNoBarriers(page, '[role=dialog]');
  await page.getByRole('dialog').getByRole('button', { name: 'Void gift' }).press('Enter');
  await row.getByText('Void', { exact: true }).waitFor();
  expect(acted).toEqual(['resend', 'void']);
  await page.getByRole('link', { name: 'Rae' }).waitFor();
  expect(await page.getByRole('button', { name: /^Erase/ }).count()).toBe(0);
  const owning = await openAdmin('/admin/business/gifts', { token: await admin('owner'), prepare });
  await owning.getByRole('button', { name: `Erase buyer ${redeemed.buyer_email}` }).press('Enter');
  const erasing = owning.getByRole('dialog');
  const erase = erasing.getByRole('button', { name: 'Erase buyer' });
  expect(await erase.isDisabled()).toBe(true);
  await erasing.getByLabel('Reason').fill('Requested by email');
  await expectNoBarriers(owning, '[role=dialog]');
  await erase.press('Enter');
  await see(owning, 'Buyer erased.');
  await owning.getByRole('row').filter({ hasText: 'Rae' }).getByText('Erased').waitFor();
  expect(reasons).toEqual([{ reason: 'Requested by email' }]);
  await page.setViewportSize(narrow);
  await expectNoSidewaysScroll(page);
  const viewing = await openAdmin('/admin/business/gifts', {
    ...{ token: await admin('viewer'), prepare },
  });
  await viewing.getByRole('row').filter({ hasText: gift.buyer_email }).waitFor();
  expect(await viewing.getByRole('button', { name: /^(Resend|Void|Erase)/ }).count()).toBe(0);
});
