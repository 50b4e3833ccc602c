import type { LoggedText } from '@daylift/contracts/sms-operations.http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { adminCalls } from '../../test/admin-calls.ts';
import { aDispatch, aSubscriber, asAdmin, pastTexts, release } from '../../test/factories.ts';
import { createHarness, type Harness } from '../../test/harness.ts';

let harness: Harness;
let admin: ReturnType<typeof adminCalls>;

beforeAll(async () => {
  harness = await createHarness();
  admin = adminCalls(harness);
});
afterAll(() => harness.close());

const logs = async (query: string, role: 'viewer' | 'operator' = 'operator') =>
  (await admin.get(`/admin/sms-logs?${query}`, role)).json<LoggedText[]>();
const idsOf = (texts: LoggedText[]) => texts.map(({ id }) => id);

/** Creates a subscriber with one text in each of these states, newest last. */
async function aSubscriberWith(states: string[]) {
  const { user_id } = await aSubscriber(harness);
  const ids = await pastTexts(
    harness.db,
    user_id,
    states.map((state, index) => ({
      local_date: `2027-02-${String(index + 1).padStart(2, '0')}`,
      state: state as 'delivered',
    })),
  );
  return { user_id, ids };
}

describe('the delivery log', () => {
  it('audits the reader once for all pages', async () => {
    const as = { ...asAdmin('viewer'), username: 'looker' };
    for (const path of ['sms-logs', 'messages', 'sms-logs?status=failed'])
      expect((await harness.call({ url: `/admin/${path}`, as })).statusCode).toBe(200);
    const accesses = (await admin.adminActions()).filter((one) => one.username === 'looker');
    expect(accesses).toMatchObject([{ action: 'texts.listed', target: null, details: {} }]);
  });

  it("shows a text's recipient, status, reason, parts and cost", async () => {
    const person = await aSubscriber(harness);
    const off = await aSubscriber(harness, { delivery_enabled: false });
    const [sent, skipped] = [person, off].map((one) => aDispatch(one, harness));
    const batch = await release(harness, [sent!, skipped!]);
    await harness.sendAllDue();
    await harness.reaches(sent!.dispatch_id, 'delivered');
    const [found] = await logs(`user_id=${person.user_id}`);
    expect(found).toEqual({
      id: sent!.dispatch_id,
      user_id: person.user_id,
      first_name: 'Ada',
      to: person.phone,
      kind: 'daily',
      message_content: 'Good morning, Ada! Breathe.',
      status: 'delivered',
      reason: null,
      error_code: null,
      batch_id: batch.id,
      local_date: '2027-03-09',
      created_at: expect.any(String),
      sent_at: expect.any(String),
      finished_at: expect.any(String),
      parts: 1,
      cost: expect.stringMatching(/^0\.00\d+$/),
      currency: 'USD',
      is_test: false,
    });
    expect((await logs(`batch_id=${batch.id}&status=skipped`))[0]).toMatchObject({
      id: skipped!.dispatch_id,
      to: off.phone,
      reason: 'Texts turned off.',
      sent_at: null,
    });
  });

  it('masks contacts in staff replies for viewers', async () => {
    const { user_id } = await aSubscriber(harness);
    const content = 'We wrote to ada@example.com';
    await pastTexts(harness.db, user_id, [{ local_date: '2027-02-01', kind: 'answer', content }]);
    const words = async (role: 'viewer' | 'operator') =>
      (await logs(`user_id=${user_id}`, role)).map(({ message_content }) => message_content);
    expect(await words('operator')).toEqual([content]);
    expect(await words('viewer')).toEqual(['We wrote to •••']);
  });

  it('masks numbers for viewers', async () => {
    const person = await aSubscriber(harness);
    await release(harness, [aDispatch(person, harness)]);
    const [found] = await logs(`user_id=${person.user_id}`, 'viewer');
    expect(found!.to).toBe(`+1••••••••${person.phone.slice(-2)}`);
  });

  it.each([
    ['queued', ['queued']],
    ['sent', ['accepted', 'sent']],
    ['delivered', ['delivered']],
    ['failed', ['failed', 'refused']],
    ['unknown', ['unknown']],
    ['missed', ['missed']],
    ['skipped', ['skipped', 'superseded']],
  ])('filters by %s: only %j', async (status, states) => {
    const every = [
      'queued',
      'accepted',
      'sent',
      'delivered',
      'failed',
      'refused',
      'unknown',
      'missed',
      'skipped',
      'superseded',
    ];
    const { user_id, ids } = await aSubscriberWith(every);
    const wanted = ids.filter((_id, index) => states.includes(every[index]!)).toReversed();
    expect(idsOf(await logs(`user_id=${user_id}&status=${status}`))).toEqual(wanted);
    expect(idsOf(await logs(`user_id=${user_id}`))).toEqual(ids.toReversed());
  });

  it('pages without gaps or repetitions while texts arrive', async () => {
    const { user_id, ids } = await aSubscriberWith(Array.from({ length: 12 }, () => 'delivered'));
    const first = await logs(`user_id=${user_id}&limit=5`);
    await pastTexts(harness.db, user_id, [{ local_date: '2027-02-20' }]);
    const second = await logs(`user_id=${user_id}&limit=5&before=${first.at(-1)!.id}`);
    const third = await logs(`user_id=${user_id}&limit=5&before=${second.at(-1)!.id}`);
    expect(idsOf([...first, ...second, ...third])).toEqual(ids.toReversed());
  });

  it('applies the date filter on every page', async () => {
    const { user_id, ids } = await aSubscriberWith(Array.from({ length: 10 }, () => 'failed'));
    const query = `user_id=${user_id}&status=failed&from=2027-02-03&to=2027-02-07`;
    const wanted = ids.slice(2, 7).toReversed();
    expect(idsOf(await logs(query))).toEqual(wanted);
    expect(idsOf(await logs(`${query}&before=${wanted[1]}`))).toEqual(wanted.slice(2));
    expect(idsOf(await logs(`${query}&before=${ids[9]}`))).toEqual(wanted);
  });

  it('orders texts of the same instant consistently', async () => {
    const { user_id } = await aSubscriber(harness);
    const same = Array.from({ length: 6 }, () => ({ local_date: '2027-02-01' }));
    const ids = await pastTexts(
      harness.db,
      user_id,
      same.map((one) => ({ ...one, kind: 'announcement' as const })),
    );
    const first = await logs(`user_id=${user_id}&limit=3`);
    const rest = await logs(`user_id=${user_id}&limit=3&before=${first.at(-1)!.id}`);
    expect(idsOf([...first, ...rest])).toEqual(ids.toSorted().toReversed());
  });
});

it('lists only sent texts as messages', async () => {
  const person = await aSubscriber(harness);
  const off = await aSubscriber(harness, { delivery_enabled: false });
  await release(
    harness,
    [person, off].map((one) => aDispatch(one, harness)),
  );
  await harness.sendAllDue();
  const left = (await admin.get(`/admin/messages?user_id=${person.user_id}`)).json();
  expect(left).toHaveLength(1);
  expect((await admin.get(`/admin/messages?user_id=${off.user_id}`)).json()).toEqual([]);
});

it.each([
  "status=' or 1=1",
  'status=refused',
  'status=failed&status=sent',
  'from=2027-02-30',
  'from=2027-03-02&to=2027-03-01',
  'batch_id=1',
  'user_id=x',
  'limit=0',
  'limit=501',
  'before=20270101',
  'before=20270101-0123456789abcdef0123456789abcdef',
])('rejects %s', async (query) => {
  expect((await admin.get(`/admin/sms-logs?${query}`)).statusCode).toBe(400);
});

it.each(['/admin/sms-logs', '/admin/messages'])('%s is for admins only', async (path) => {
  expect(await admin.refusals('GET', path)).toEqual([401, 403]);
});
