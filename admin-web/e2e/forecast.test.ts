import { randomUUID } from 'node:crypto';
import { dayMs } from '@daylift/clock/durations';
import { Forecast } from '@daylift/contracts/forecast.http';
import { LibraryRunway } from '@daylift/contracts/library-runway.http';
import { expect, it } from 'vitest';
import {
  answer,
  expectNoBarriers,
  expectNoSidewaysScroll,
  narrow,
  type Page,
  pageLink,
  phone,
  see,
  useAdminPages,
} from './harness.ts';

const pages = useAdminPages();
const { product, openAdmin } = pages;

/** Letters only: names that look like phone numbers are rejected. */
const aName = () =>
  `Forecast ${randomUUID()
    .slice(0, 8)
    .replace(/\d/g, (digit) => 'ghijklmnop'.charAt(Number(digit)))}`;
const switchOff = (token: string) =>
  product.api('POST', '/users/me/toggle-delivery?enable=false', {}, token);
/** The list is long if others use the product too. */
async function findInList(page: Page, name: string): Promise<void> {
  const more = page.getByRole('button', { name: 'Show more' });
  await page.getByRole('columnheader', { name: 'Email' }).waitFor();
  while (!(await page.getByRole('link', { name }).isVisible()) && (await more.isVisible()))
    await more.click();
  await page.getByRole('link', { name }).waitFor();
}

it('shows what will happen each hour, days without a message, and who would be skipped', async () => {
  const off = await pages.subscriber({ name: aName() });
  await pages.subscriber({ name: aName(), delivery_time: '04:00' });
  await switchOff(off.token);
  // A forecast that another test has just requested stays valid for half a minute.
  await product.advance(0.1);
  const page = await openAdmin('/admin/forecast');
  await see(page, 'forecast of the next 48 hours as of');
  await page
    .getByRole('table', { name: 'Hours' })
    .getByText(/4:00 AM E[DS]T/)
    .first()
    .waitFor();
  const hour = page.getByRole('table', { name: 'Hours' }).getByRole('row').nth(1);
  await hour.getByText(/^\$\d+\.\d\d$|^less than \$0\.01$/).waitFor();
  await hour.getByText(/^\d+ seconds?$/).waitFor();
  expect(await page.getByText('Over capacity').count()).toBe(0);
  await page.getByRole('button', { name: 'Show subscribers: Texts turned off.' }).click();
  await findInList(page, off.name);
  await page.getByRole('table', { name: 'Days' }).getByText('None (library)').first().waitFor();
  await page.getByRole('link', { name: 'Schedule' }).first().click();
  await expect.poll(() => page.url()).toContain('/admin/messages?date=');
});

it.each(['forecast', 'messages/library'])('%s shows how long the library lasts', async (tab) => {
  await pages.subscriber({ name: aName() });
  // The scheduler computes it every hour.
  await product.advance(2);
  const page = await openAdmin(`/admin/${tab}`);
  const row = page
    .getByRole('table', { name: 'How long the library lasts' })
    .getByRole('row', { name: /motivational/ });
  await row.getByText(/^\d+ days?$/).waitFor();
  await expectNoBarriers(page);
});

it('says so while it is not known how long the library lasts, and then shows it', async () => {
  let runway: LibraryRunway = { computed_at: null, categories: [] };
  const page = await openAdmin('/admin/messages/library', {
    prepare: (before) => answer(before, '/admin/library/runway', LibraryRunway, () => runway),
  });
  await see(page, 'Still being computed. This takes up to a minute.');
  const computed_at = '2027-04-05T12:20:00.000Z';
  runway = { computed_at, categories: [{ category: 'motivational', active: 30, days: 30 }] };
  await page.getByText('30 days').waitFor();
});

it('says which senders have too many texts for an hour, what to do, and the exact cost', async () => {
  const drained = { drain_seconds: 5_400, late: 0, missed: 0 };
  const sender = { number: '+18885550100', texts: 3_000, per_hour: 72_000, ...drained };
  const hour = { estimated_cost: '12.0000', people: 6_000, ...drained };
  const senders = [
    sender,
    { ...sender, number: '+18885550101', texts: 3_000, per_hour: 2_000, late: 1_000, missed: 4 },
  ];
  const forecast: Forecast = {
    as_of: '2027-04-05T12:20:00.000Z',
    progress: null,
    currency: 'USD',
    rate_per_second: 50,
    hours: [
      { ...hour, starts_at: '2027-04-05T13:00:00.000Z', late: 1_000, missed: 4, senders },
      // As from the previous version of the scheduler.
      ...[14, 15].map((start) => ({
        starts_at: `2027-04-05T${start}:00:00.000Z`,
        ...{ people: 1, estimated_cost: '0.0040', drain_seconds: 1 },
      })),
    ],
    days: [],
    skipped: [],
  };
  const page = await openAdmin('/admin/forecast', {
    viewport: phone,
    prepare: (before) => answer(before, '/admin/rehearsal', Forecast, () => forecast),
  });
  const full = page.getByRole('table', { name: 'Over capacity' });
  await full.getByText('+18885550101').waitFor();
  expect(await full.getByText('+18885550100').count()).toBe(0);
  await full.getByText('1,000').waitFor();
  await see(page, 'Costs are rounded to the cent. The total before rounding is about $12.01.');
  await see(page, 'No texts in the next 48 hours');
  await expectNoBarriers(page);
  await expectNoSidewaysScroll(page);
  await page.getByRole('link', { name: 'Add a sender' }).click();
  await page.getByRole('table', { name: 'Senders' }).waitFor();
});

it('is recomputed once it is old', async () => {
  const read = async () =>
    (await product.api<Forecast>('GET', '/admin/rehearsal', undefined, pages.owner())).body;
  const page = await openAdmin('/admin/forecast');
  await see(page, 'By hour');
  const before = await read();
  await product.advance(1);
  await expect.poll(async () => (await read()).as_of).not.toBe(before.as_of);
  const { as_of } = await read();
  expect(Date.parse(as_of ?? '')).toBeGreaterThan(Date.parse(before.as_of ?? ''));
});

it('undelivered subscribers are listed by date and reason, with links', async () => {
  const off = await pages.subscriber({ name: aName(), delivery_time: '13:00' });
  await switchOff(off.token);
  const now = await product.now();
  const slot = new Date(`${now.toISOString().slice(0, 10)}T17:00:00Z`);
  await product.advanceTo(new Date(slot.getTime() + dayMs + 60_000), 12);
  const page = await openAdmin('/admin/undelivered');
  await page.getByRole('button', { name: 'Show subscribers: Texts turned off.' }).click();
  await findInList(page, off.name);
  expect(page.url()).toContain('reason=skipped%3Adelivery_disabled');
  await page.reload();
  await findInList(page, off.name);
  await page.getByLabel('Date').fill('2027-01-01');
  await see(page, 'No texts on this date');
  await page.goBack();
  await findInList(page, off.name);
  await page.getByRole('link', { name: off.name }).click();
  await expect.poll(() => page.url()).toContain(off.id);
});

it("a viewer reads both and can't schedule anything", async () => {
  const token = await pages.admin('viewer');
  const page = await openAdmin('/admin/forecast', { token });
  await page.getByRole('table', { name: 'Days' }).getByText('None (library)').first().waitFor();
  expect(await page.getByRole('link', { name: 'Schedule' }).count()).toBe(0);
  await pageLink(page, 'Undelivered').click();
  await page.getByRole('heading', { name: /^Undelivered on/ }).waitFor();
});

it.each(['forecast', 'undelivered'])('%s is accessible and fits every screen', async (tab) => {
  const page = await openAdmin(`/admin/${tab}`, { viewport: phone });
  await page
    .getByRole('button', { name: /^Show subscribers/ })
    .first()
    .click();
  await page.getByRole('cell').first().waitFor();
  await expectNoBarriers(page);
  for (const viewport of [
    narrow,
    phone,
    { width: 768, height: 1024 },
    { width: 2560, height: 1440 },
  ]) {
    await page.setViewportSize(viewport);
    await expectNoSidewaysScroll(page);
  }
  await expectNoBarriers(page);
});
