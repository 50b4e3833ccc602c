import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { adminCalls } from '../../test/admin-calls.ts';
import { aDispatch, aNumber, aQueuedText, aSubscriber, release } from '../../test/factories.ts';
import { createHarness, type Harness } from '../../test/harness.ts';
import { foldCounts } from '../batches/fold-counts.ts';
import { resumeSending } from '../provider/send-pause.repository.ts';
import { sendAlerts } from './send-alerts.ts';

const to = 'ops@example.com';
let harness: Harness;
let admin: ReturnType<typeof adminCalls>;

beforeAll(async () => {
  harness = await createHarness();
  admin = adminCalls(harness);
});
afterAll(() => harness.close());
beforeEach(async () => {
  await harness.sandbox.faults({ reset: true });
  for (const table of ['alert_times', 'mails', 'minute_counts'] as const)
    await harness.db.deleteFrom(table).execute();
  await admin.post('/admin/settings/testing-mode', { enabled: false });
  await admin.post('/admin/settings/alert-email', {
    email: to,
    failure_threshold: 20,
    enabled: true,
  });
  // Results of earlier tests were reported.
  await harness.db.updateTable('batches').set({ alerted_at: new Date() }).execute();
});

/** Creates a daily batch whose first texts fail or are opted out of. */
async function batch(size: number, fate: { failing?: number; stopped?: number } = {}) {
  const now = harness.clock.now();
  const people = [];
  for (let index = 0; index < size; index += 1) people.push(await aSubscriber(harness));
  const { failing = 0, stopped = 0 } = fate;
  const dials = people.slice(0, failing + stopped).map(({ phone }, index) => {
    return [phone, { code: index < failing ? '40310' : '40300' }];
  });
  await harness.sandbox.faults({ recipients: Object.fromEntries(dials) });
  const dispatches = people.map((one) =>
    aDispatch(one, harness, { local_date: now.toISOString().slice(0, 10) }),
  );
  await release(harness, dispatches, { name: 'Daily texts' });
  await harness.sendAllDue();
  return people;
}

const minutes = (count: number) =>
  harness.moveTo(new Date(harness.clock.now().getTime() + count * 60_000));

/** Returns the mails to the alert address once everything has settled. */
async function mails() {
  while ((await foldCounts(harness.db, harness.clock.now())) > 0);
  await minutes(4);
  await sendAlerts(harness.deps);
  await sendAlerts(harness.deps);
  return harness.db.selectFrom('mails').selectAll().orderBy('created_at').execute();
}

it('a batch with a quarter of failures sends one mail with counts and reasons, without names', async () => {
  const people = await batch(20, { failing: 5 });
  const sent = await mails();
  expect(sent).toMatchObject([{ to_address: to, subject: 'Daylift: 25% of texts failed' }]);
  const text = sent[0]!.text;
  expect(text).toContain('Daily texts');
  expect(text).toContain('5 of 20 texts failed (25%)');
  expect(text).toContain('5: The phone number is invalid. (Error 40310.)');
  expect(text).toContain('https://daylift.example/admin/dashboard?tab=sms');
  expect(text).not.toContain('Ada');
  for (const { phone } of people) expect(text).not.toContain(phone);
});

it('15 percent sends none, nor does exactly the threshold', async () => {
  await batch(20, { failing: 3 });
  await batch(20, { failing: 4 });
  expect(await mails()).toEqual([]);
});

it("opt-outs don't count as failures", async () => {
  await batch(30, { failing: 3, stopped: 10 });
  expect(await mails()).toEqual([]);
});

it('a batch of fewer than twenty sends none alone; all of an hour together send one', async () => {
  await batch(10, { failing: 5 });
  expect(await mails()).toEqual([]);
  await batch(10, { failing: 5 });
  const sent = await mails();
  expect(sent).toMatchObject([{ subject: 'Daylift: 50% of texts failed' }]);
  expect(sent[0]!.text).toContain('In the last hour: 10 of 20 texts failed (50%)');
});

it("texts to the test number don't count", async () => {
  const testPhone = aNumber();
  await admin.post('/admin/settings/testing-mode', { enabled: true, test_phone: testPhone });
  await harness.sandbox.faults({ recipients: { [testPhone]: { code: '40310' } } });
  const people = [];
  for (let index = 0; index < 20; index += 1) people.push(await aSubscriber(harness));
  const dispatches = people.map((one) => aDispatch(one, harness));
  await release(harness, dispatches);
  await harness.sendAllDue();
  expect(await mails()).toEqual([]);
});

it('there is at most one mail per hour, and the next includes failures since the last', async () => {
  await batch(20, { failing: 10 });
  expect(await mails()).toHaveLength(1);
  await batch(20, { failing: 12 });
  expect(await mails()).toHaveLength(1);
  await minutes(61);
  const sent = await mails();
  expect(sent).toHaveLength(2);
  expect(sent[1]!.text).toContain('12 of 20');
  expect(sent[1]!.text).not.toContain('10 of 20');
  await minutes(61);
  expect(await mails()).toHaveLength(2);
});

it('concurrent processes send one', async () => {
  await batch(20, { failing: 10 });
  while ((await foldCounts(harness.db, harness.clock.now())) > 0);
  await minutes(4);
  const sent = await Promise.all(Array.from({ length: 5 }, () => sendAlerts(harness.deps)));
  expect(sent.reduce((sum, one) => sum + one, 0)).toBe(1);
  expect(await mails()).toHaveLength(1);
});

it('sends nothing while disabled', async () => {
  await admin.post('/admin/settings/alert-email', { email: to, enabled: false });
  await batch(20, { failing: 20 });
  expect(await mails()).toEqual([]);
});

it('a pause of sending is reported once, immediately, and again for a different pause', async () => {
  await harness.sandbox.faults({ error: { telnyx: { rate: 1, code: '20100' } } });
  const [one] = [await aSubscriber(harness)];
  await release(harness, [aDispatch(one, harness)]);
  await harness.send(aDispatch(one, harness).dispatch_id);
  await sendAlerts(harness.deps);
  await sendAlerts(harness.deps);
  const alerts = () =>
    harness.db.selectFrom('mails').selectAll().where('key', 'like', 'alert:paused:%').execute();
  const first = await alerts();
  expect(first).toMatchObject([{ subject: 'Daylift: sending is paused' }]);
  expect(first[0]!.text).toContain('Our provider account had no balance left.');
  expect(first[0]!.text).toMatch(/Texts waiting: \d+/);
  expect(first[0]!.text).toMatch(/Since [A-Z][a-z]{2} \d+, 2027, \d+:\d\d [AP]M E[SD]T /);
  await resumeSending(harness.db, harness.clock.now());
  await minutes(61);
  const other = await aSubscriber(harness);
  const late = aDispatch(other, harness, {
    local_date: harness.clock.now().toISOString().slice(0, 10),
  });
  await release(harness, [late]);
  await harness.send(late.dispatch_id);
  await sendAlerts(harness.deps);
  expect(await alerts()).toHaveLength(2);
  await resumeSending(harness.db, harness.clock.now());
});

it('an unavailable provider is reported as a pause', async () => {
  await harness.sandbox.faults({ telnyx_down: true });
  for (let sent = 0; sent < 5; sent += 1) await harness.send((await aQueuedText(harness)).id);
  await sendAlerts(harness.deps);
  const [mail] = await harness.db.selectFrom('mails').selectAll().execute();
  expect(mail?.text).toContain(
    'the provider has been down. The provider responded with status 503.',
  );
  expect(mail?.text).toContain('we’re checking with the provider');
  await resumeSending(harness.db, harness.clock.now());
});

it('a day without content is reported once, if alerts are enabled', async () => {
  await harness.receive('scheduler.content.missing', { date: '2027-04-01' });
  await harness.receive('scheduler.content.missing', { date: '2027-04-01' });
  const sent = await harness.db.selectFrom('mails').selectAll().execute();
  expect(sent).toMatchObject([
    { to_address: to, subject: 'Daylift: nothing to send on 2027-04-01' },
  ]);
  await admin.post('/admin/settings/alert-email', { email: to, enabled: false });
  await harness.receive('scheduler.content.missing', { date: '2027-04-02' });
  expect(await harness.db.selectFrom('mails').selectAll().execute()).toHaveLength(1);
});

it('a library that runs out is reported once per category and threshold', async () => {
  const at = { days: 7, threshold_days: 7, date: '2027-04-01' };
  await harness.receive('scheduler.library.runs_out', { category: 'calm', ...at });
  await harness.receive('scheduler.library.runs_out', { category: 'calm', ...at });
  await harness.receive('scheduler.library.runs_out', { category: 'focus', ...at, days: 0 });
  const sent = await harness.db.selectFrom('mails').selectAll().orderBy('subject').execute();
  expect(sent.map(({ to_address, subject }) => [to_address, subject])).toEqual([
    [to, 'Daylift: library texts in "calm" run out in 7 days'],
    [to, 'Daylift: library texts in "focus" have run out'],
  ]);
  await admin.post('/admin/settings/alert-email', { email: to, enabled: false });
  await harness.receive('scheduler.library.runs_out', { category: 'sleep', ...at });
  expect(await harness.db.selectFrom('mails').selectAll().execute()).toHaveLength(2);
});

it('forgotten testing mode is reported after an hour, and every day', async () => {
  await admin.post('/admin/settings/testing-mode', { enabled: true, test_phone: aNumber() });
  expect(await mails()).toEqual([]);
  await minutes(60);
  expect(await mails()).toMatchObject([{ subject: 'Daylift: testing mode is still on' }]);
  await minutes(120);
  expect(await mails()).toHaveLength(1);
  await minutes(24 * 60);
  expect(await mails()).toHaveLength(2);
});
