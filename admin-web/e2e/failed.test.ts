import { randomUUID } from 'node:crypto';
import { afterEach, expect, inject, it } from 'vitest';
import { queryDatabase } from '../../deploy/system-tests/query-database.ts';
import {
  desktop,
  expectNoBarriers,
  expectNoSidewaysScroll,
  failCalls,
  failedCall,
  narrow,
  type Page,
  pageLink,
  phone,
  press,
  see,
  useAdminPages,
} from './harness.ts';

const { openAdmin, admin } = useAdminPages();
const address = '/admin/failed-events';

/** Inserts failed events, which a healthy stack doesn't have. */
async function addFailedEvent(
  schema: 'billing' | 'scheduler',
  type: string,
  data: Record<string, unknown>,
): Promise<string> {
  const event = { id: randomUUID(), type, occurred_at: '2027-04-05T15:00:00.000Z', data };
  await sql(
    `insert into ${schema}.parked_events (event_id, type, payload, tries, error, parked_at)
     values ($1, $2, $3, 5, 'relation "renewals" does not exist', '2027-04-05T15:01:00Z')`,
    [event.id, type, JSON.stringify(event)],
  );
  return event.id;
}
const sql = (statement: string, values: unknown[] = []) =>
  queryDatabase({ databaseAdminUrl: inject('databaseAdminUrl') }, statement, values);
const stopOf = (user_id = randomUUID()) => ({
  user_id,
  at: '2027-04-05T15:00:00.000Z',
  source: 'keyword',
});
const stop = 'sms.recipient.opted_out';
const title = 'Billing: Subscriber opted out (STOP)';

afterEach(async () => {
  for (const schema of ['billing', 'scheduler'])
    await sql(`delete from ${schema}.parked_events where ended_as is null`);
});

const row = (page: Page, words: string) => page.getByRole('row').filter({ hasText: words });

it('shows failed events with reason and masked data, on every screen', async () => {
  const user_id = randomUUID();
  await addFailedEvent('billing', 'accounts.user.registered', {
    user_id,
    name: 'Zoe Secret',
    phone: '+14155550177',
  });
  const page = await openAdmin(address);
  await page.getByRole('heading', { name: 'Billing: User signed up' }).waitFor();
  await pageLink(page, 'Failed events 1 failed').waitFor();
  await see(page, 'relation "renewals" does not exist');
  await page.getByText('Payload').click();
  await see(page, '"phone": "•••"');
  expect(await page.content()).not.toMatch(/Zoe|4155550177/);
  const link = page.getByRole('link', { name: 'View subscriber' });
  await expect.poll(() => link.getAttribute('href')).toBe(`/admin/subscribers/${user_id}`);
  for (const size of [desktop, narrow, phone]) {
    await page.setViewportSize(size);
    await expectNoSidewaysScroll(page);
    if (size !== narrow) await expectNoBarriers(page);
  }
});

it('shows the number of failed events on every page', async () => {
  const page = await openAdmin('/admin/messages');
  await page.getByText('Live', { exact: true }).waitFor();
  await pageLink(page, 'Failed events', true).waitFor();
  await addFailedEvent('billing', stop, stopOf());
  await pageLink(page, 'Failed events 1 failed').waitFor({ timeout: 20_000 });
});

it('a failed list offers a retry; a replay removes an event, or shows why it failed again', async () => {
  const id = await addFailedEvent('billing', stop, stopOf());
  await addFailedEvent('scheduler', stop, {
    user_id: randomUUID(),
    at: 'yesterday',
    source: 'keyword',
  });
  let restore = () => {};
  const page = await openAdmin(address, {
    expectComplaints: failedCall,
    prepare: async (one) => {
      restore = await failCalls(one, 'GET', '/admin/parked');
    },
  });
  await see(page, "We couldn't load this. Please try again.");
  restore();
  await press(page, 'Try again');
  await row(page, 'relation').nth(1).waitFor();
  const billing = page.getByRole('table', { name: title });
  restore = await failCalls(page, 'POST', `/admin/parked/billing/event.${id}/replay`);
  await billing.getByRole('button', { name: 'Replay' }).click();
  await see(page, 'Replay failed. The event is still listed.');
  restore();
  await billing.getByRole('button', { name: 'Replay' }).click();
  await see(page, 'Replayed: Subscriber opted out (STOP).');
  await billing.waitFor({ state: 'detached' });
  await page.locator('#main:focus').waitFor();
  await press(page, 'Replay');
  await see(page, 'Replay failed: sms.recipient.opted_out does not match its schema');
  await row(page, 'does not match its schema')
    .getByRole('cell', { name: '6', exact: true })
    .waitFor();
  await pageLink(page, 'Failed events 1 failed').waitFor();
});

it('all of one kind are replayed by one click', async () => {
  for (const _ of [1, 2, 3]) await addFailedEvent('billing', stop, stopOf());
  const page = await openAdmin(address);
  await page.getByRole('button', { name: 'Replay all 3' }).dblclick();
  await see(page, '3 replayed.');
  await see(page, 'No failed events');
});

it('a discard shows what is lost, and is for owners only', async () => {
  const id = await addFailedEvent('billing', stop, stopOf());
  const operatorPage = await openAdmin(address, {
    token: await admin('operator'),
    expectComplaints: failedCall,
  });
  await operatorPage.getByRole('button', { name: 'Replay' }).waitFor();
  await expect.poll(() => operatorPage.getByRole('button', { name: 'Discard' }).count()).toBe(0);
  const watched = await openAdmin(address, { token: await admin('viewer') });
  await see(watched, 'Operators only');
  await expect.poll(() => watched.getByRole('button', { name: 'Replay' }).count()).toBe(0);

  const page = await openAdmin(address, { expectComplaints: failedCall });
  await press(page, 'Discard');
  const dialog = page.getByRole('dialog');
  await dialog.getByText("Billing won't process this event").waitFor();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await dialog.waitFor({ state: 'detached' });
  const restore = await failCalls(page, 'POST', `/admin/parked/billing/event.${id}/discard`);
  await press(page, 'Discard');
  await dialog.getByRole('button', { name: 'Discard' }).click();
  await dialog.getByText('Discard failed. The event is still listed.').waitFor();
  restore();
  await dialog.getByRole('button', { name: 'Discard' }).click();
  await see(page, 'Discarded.');
  await see(page, 'No failed events');
  await operatorPage.getByRole('button', { name: 'Replay' }).click();
  await see(operatorPage, 'Another admin has already discarded this.');
  expect(await sql(`select event_id from billing.inbox where event_id = $1`, [id])).toHaveLength(1);
});
