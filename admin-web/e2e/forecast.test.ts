import { randomUUID } from 'node:crypto';
import { dayMs } from '@daylift/clock/durations';
import { Forecast } from '@daylift/contracts/forecast.http';
import { beforeAll, expect, it } from 'vitest';
import {
  answer,
  desktop,
  expectNoBarriers,
  expectNoSidewaysScroll,
  narrow,
  type Page,
  pageLink,
  phone,
  type Subscriber,
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

async function expectAccessibleOnEveryScreen(page: Page): Promise<void> {
  const tablet = { width: 768, height: 1024 };
  for (const viewport of [phone, narrow, tablet, { width: 2560, height: 1440 }, desktop]) {
    await page.setViewportSize(viewport);
    await expectNoSidewaysScroll(page);
    if (viewport === phone || viewport === desktop) await expectNoBarriers(page);
  }
}

let off: Subscriber;
beforeAll(async () => {
  off = await pages.subscriber({ name: aName(), delivery_time: '13:00' });
  await pages.subscriber({ name: aName(), delivery_time: '04:00' });
  await switchOff(off.token);
  // The scheduler computes every hour how long the library lasts.
  await product.advance(2);
});

it('shows what will happen each hour, how long the library lasts, and who would be skipped', async () => {
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
  await page
    .getByRole('table', { name: 'How long the library lasts' })
    .getByRole('row', { name: /motivational/ })
    .getByText(/^\d+ days?$/)
    .waitFor();
  await page.getByRole('button', { name: 'Show subscribers: Texts turned off.' }).click();
  await findInList(page, off.name);
  await page.getByRole('table', { name: 'Days' }).getByText('None (library)').first().waitFor();
  await expectAccessibleOnEveryScreen(page);
  await page.getByRole('link', { name: 'Schedule' }).first().click();
  await expect.poll(() => page.url()).toContain('/admin/messages?date=');
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

it('undelivered subscribers are listed by date and reason, with links', async () => {
  const now = await product.now();
  const slot = new Date(`${now.toISOString().slice(0, 10)}T17:00:00Z`);
  await product.advanceTo(new Date(slot.getTime() + dayMs + 60_000), 12);
  const page = await openAdmin('/admin/undelivered');
  await page.getByRole('button', { name: 'Show subscribers: Texts turned off.' }).click();
  await findInList(page, off.name);
  expect(page.url()).toContain('reason=skipped%3Adelivery_disabled');
  await expectAccessibleOnEveryScreen(page);
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
