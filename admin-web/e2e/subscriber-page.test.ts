import { minuteMs } from '@daylift/clock/durations';
import { dayAfter } from '@daylift/delivery/next-date';
import { sendInstant } from '@daylift/delivery/send-instant';
import { formatLocalDate } from '@daylift/ui/formats';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  desktop,
  expectNoBarriers,
  holdCalls,
  type Page,
  pageLink,
  phone,
  press,
  type Subscriber,
  see,
  useAdminPages,
} from './harness.ts';
import { checkReach } from './reach.ts';

const pages = useAdminPages();
const { product, openAdmin } = pages;
const zone = 'America/New_York';

let tess: Subscriber;
let lana: Subscriber;
let days: string[];

const todayInZone = async () =>
  new Intl.DateTimeFormat('en-CA', { timeZone: zone }).format(await product.now());
/** Advances to shortly after the 09:00 text of that date. */
const morningOf = async (date: string) => {
  await product.advanceTo(new Date(sendInstant(date, 9, zone).getTime() + 40 * minuteMs), 12);
  await product.settle();
};
const change = (body: object) => product.api('PUT', '/users/me', body, tess.token);
const pageOf = (id: string) => `/admin/subscribers/${id}`;
const timeline = (page: Page) => page.getByRole('region', { name: 'Timeline' });
const entry = (page: Page, words: string | RegExp) =>
  timeline(page).locator('section > ol > li').filter({ hasText: words });
const onPage = (page: Page, name: string) =>
  page.locator('#main').getByRole('button', { name, exact: true });
const enterDay = (page: Page, day: string) =>
  page.getByLabel("Date (subscriber's time zone)").fill(day);

beforeAll(async () => {
  tess = await pages.subscriber({ name: 'Tess Morning', timezone: zone });
  lana = await pages.subscriber({ name: 'Lana Landline', timezone: zone });
  await product.settle();
  await product.faults({ recipients: { [lana.phone]: { code: '40001' } } });
  const today = await todayInZone();
  days = [today];
  for (let n = 0; n < 3; n += 1) days.push(dayAfter(days.at(-1) ?? today));
  const [, first = '', second = '', third = ''] = days;
  await morningOf(first);
  await change({ paused_until: third });
  await morningOf(second);
  await product.api('POST', '/users/me/plan/upgrade', { plan: 'monthly' }, tess.token);
  await product.reply(tess.phone, 'STOP');
  await product.settle();
  await product.reply(tess.phone, 'START');
  await product.settle();
  await product.faults({
    recipients: { [tess.phone]: { final: 'delivery_failed', code: '40008', times: 1 } },
  });
  await morningOf(third);
  await product.faults({ recipients: {} });
  await change({ delivery_time: '07:00' });
  for (const is_active of [false, true])
    await product.api(
      'POST',
      `/admin/users/${tess.id}/toggle-status`,
      { is_active },
      pages.owner(),
    );
  await product.settle();
});

it('a subscriber whose number gets no texts is found by the delivery status, and their page says why', async () => {
  const page = await openAdmin('/admin/subscribers?texts=unreachable');
  const row = page.getByRole('row').filter({ hasText: lana.email });
  await row.getByText('Unreachable').waitFor();
  expect(await row.getByText('Awaiting YES').count()).toBe(0);
  await row.getByRole('link', { name: 'Lana Landline' }).click();
  await see(page, /the number is a landline, which can't receive texts\. Texts wait until/);
  await see(page, 'Texts paused: the number is a landline');
});

describe("A subscriber's page", () => {
  it('lists every text, decision, reply, payment and change, with its actor, next to profile, subscription and consent', async () => {
    const page = await openAdmin(pageOf(tess.id));
    await page.getByRole('heading', { level: 1, name: 'Tess Morning' }).waitFor();
    for (const words of [
      'Daily text delivered',
      'Daily text not sent',
      'Daily text failed',
      'Welcome text delivered',
      'Replied STOP',
      'Replied START',
      'Paid $4.99',
      'Account created',
    ])
      await entry(page, words).first().waitFor();
    await entry(
      page,
      /Delivery time changed from 9:00 AM to 7:00 AM.*by the subscriber, on the website/,
    ).waitFor();
    await entry(page, /Account paused by staff.*by \w/)
      .first()
      .waitFor();
    const profile = page.getByRole('region', { name: 'Profile' });
    await profile.getByText(tess.email).waitFor();
    await profile.getByText(tess.phone).waitFor();
    const subscription = page.getByRole('region', { name: 'Subscription' });
    await subscription.getByText('Monthly, $4.99').waitFor();
    await subscription.getByText('$4.99, paid').waitFor();
    const consent = page.getByRole('region', { name: 'Consent record' });
    await consent.getByText('Checkbox at signup').waitFor();
    await consent.getByText('Opted back in with START', { exact: false }).waitFor();
    await see(page, 'Latest proof');
    await page.getByText('State at that time').waitFor();
    await checkReach(page, 'Account created');
    for (const viewport of [desktop, phone]) {
      await page.setViewportSize(viewport);
      await expectNoBarriers(page);
    }
    const failed = entry(page, 'Daily text failed');
    await failed.getByText('(Error 40008.)', { exact: false }).first().waitFor();
    await failed.getByText('Details').click();
    await failed.getByText('Sent to the provider').waitFor();
  });

  it("explains for any day why they did or didn't get a text, and filters the timeline, both in the URL", async () => {
    const [signup = '', first = '', second = '', third = ''] = days;
    const page = await openAdmin(`${pageOf(tess.id)}?day=${first}`);
    await see(page, /^Yes: it was delivered at 9:\d\d AM\.$/);
    await enterDay(page, second);
    await see(page, /^No: it was due at 9:\d\d AM but was not sent\.$/);
    await see(page, /^Texts paused until .* by the subscriber, on the website on /);
    await enterDay(page, third);
    await see(page, /^No: it was sent at 9:\d\d AM but not delivered\.$/);
    await see(page, /The carrier couldn't deliver it.*\(Error 40008\.\)/);
    await enterDay(page, signup);
    await see(page, 'No: the first text comes the day after the subscription starts.');
    await enterDay(page, '2026-01-01');
    await see(page, "No: they hadn't signed up yet.");
    await enterDay(page, dayAfter(third));
    await see(page, /^Not yet: it is due at 7:00 AM|^Not yet: it is scheduled for 7:/);
    await entry(page, 'Replied STOP').waitFor();
    await page.getByText('Payments', { exact: true }).click();
    await entry(page, 'Replied STOP').waitFor({ state: 'detached' });
    await entry(page, 'Paid $4.99').waitFor();
    await page.reload();
    await see(page, /^Not yet: /);
    await entry(page, 'Paid $4.99').waitFor();
    await expect.poll(() => entry(page, 'Replied STOP').count()).toBe(0);
  });

  it('shows what is missing while a service is down, and the rest in pages', async () => {
    const page = await openAdmin(pageOf(tess.id), {
      prepare: (one) =>
        one.route(/\/timeline(\?|$)/, async (route) => {
          const url = new URL(route.request().url());
          url.searchParams.set('limit', '8');
          const response = await route.fetch({ url: url.href });
          await route.fulfill({
            response,
            json: { ...(await response.json()), missing: ['billing'] },
          });
        }),
    });
    await see(page, "Couldn't load: plan and payments.");
    const titles = timeline(page).locator('section > ol > li');
    await expect.poll(() => titles.count()).toBe(8);
    for (let shown = 8; await page.getByRole('button', { name: 'Show older' }).isVisible(); ) {
      await press(page, 'Show older');
      await expect.poll(() => titles.count()).toBeGreaterThan(shown);
      shown = await titles.count();
    }
    await entry(page, 'Account created').waitFor();
    await expect.poll(() => entry(page, 'Replied STOP').count()).toBe(1);
  });

  it('says until when texts are paused; pauses and activates, and shows it immediately', async () => {
    const paused_until = dayAfter(dayAfter(await todayInZone()));
    // The pause by staff ended the session.
    tess.token = await product.login(tess.email, tess.password);
    await change({ paused_until });
    const page = await openAdmin(pageOf(tess.id));
    const profile = page.getByRole('region', { name: 'Profile' });
    await profile.getByText(`Paused until ${formatLocalDate(paused_until)}`).waitFor();
    expect(await profile.getByText('On', { exact: true }).count()).toBe(0);
    const dialog = page.getByRole('dialog');
    await onPage(page, 'Pause').click();
    await dialog.getByRole('button', { name: 'Pause' }).click();
    await onPage(page, 'Activate').waitFor();
    await expect.poll(() => entry(page, 'Account paused by staff').count()).toBe(2);
    await onPage(page, 'Activate').click();
    await dialog.getByRole('button', { name: 'Activate' }).click();
    await onPage(page, 'Pause').waitFor();
  });

  it('deletes after a warning, and returns to the list as it was left', async () => {
    const deleted = await pages.subscriber({ name: 'Gone Morning' }, false);
    const list = `/admin/subscribers?${new URLSearchParams({ search: deleted.email })}`;
    const page = await openAdmin(list);
    await page.getByRole('link', { name: 'Gone Morning' }).click();
    const dialog = page.getByRole('dialog');
    await onPage(page, 'Delete').click();
    await dialog.getByText("This can't be undone.").waitFor();
    const misses: string[] = [];
    page.on('response', (one) => {
      if (one.status() === 404) misses.push(one.url());
    });
    await dialog.getByRole('button', { name: 'Delete Permanently' }).click();
    await see(page, /Gone Morning was deleted\./);
    await see(page, 'No matches');
    expect(page.url()).toBe(`${product.urls.gateway}${list}`);
    expect(misses).toEqual([]);
    await page.goBack();
    expect(page.url()).not.toContain(deleted.id);
    const late = await openAdmin(pageOf(deleted.id), {
      expectComplaints: /Failed to load resource/,
    });
    await see(late, 'Subscriber not found');
    await late.getByRole('link', { name: 'All subscribers' }).click();
    await late
      .getByRole('heading', { level: 1, name: 'Subscribers' })
      .waitFor({ state: 'attached' });
  });

  it('a deletion that ends after the admin has left leaves them there, and keeps no data', async () => {
    const deleted = await pages.subscriber({ name: 'Late Morning' }, false);
    const page = await openAdmin(
      `/admin/subscribers?${new URLSearchParams({ search: deleted.email })}`,
    );
    await page.getByRole('link', { name: 'Late Morning' }).click();
    const deletion = await holdCalls(page, 'DELETE', `/admin/users/${deleted.id}`);
    await onPage(page, 'Delete').click();
    await page.getByRole('button', { name: 'Delete Permanently' }).click();
    await expect.poll(() => deletion.count).toBe(1);
    await pageLink(page, 'Messages').click();
    await page.getByRole('heading', { level: 1, name: 'Messages' }).waitFor();
    deletion.release();
    await see(page, /Late Morning was deleted\./);
    expect(new URL(page.url()).pathname).toBe('/admin/messages');
    const reading = await holdCalls(page, 'GET', `/admin/users/${deleted.id}`);
    await page.goBack();
    await expect.poll(() => reading.count).toBe(1);
    expect(await page.getByRole('heading', { name: 'Late Morning' }).count()).toBe(0);
  });

  it('shows a viewer no number and no actions, and audits every view', async () => {
    const page = await openAdmin(pageOf(tess.id), { token: await pages.admin('viewer') });
    await page.getByRole('heading', { level: 1, name: 'Tess Morning' }).waitFor();
    await entry(page, 'Account created').waitFor();
    expect(await page.content()).not.toContain(tess.phone);
    await expect.poll(() => page.getByRole('button', { name: /Pause|Delete/ }).count()).toBe(0);
    const { body } = await product.api<{ action: string }[]>(
      'GET',
      `/admin/audit-log?target=${tess.id}`,
      undefined,
      pages.owner(),
    );
    expect(JSON.stringify(body)).toContain('user.viewed');
  });
});
