import type { AdminRole } from '@daylift/contracts/fields';
import { publishedEvents } from '@daylift/testing/published';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { adminCalls } from '../../test/admin-calls.ts';
import {
  aDispatch,
  aSubscriber,
  asService,
  recipientFacts,
  release,
} from '../../test/factories.ts';
import { createHarness, type Harness } from '../../test/harness.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
});
afterAll(() => harness.close());

const note = 'Called support on March 9 and asked us to stop.';
const optOut = (id: string, role: AdminRole = 'operator', body: object = { note }) =>
  adminCalls(harness).post(`/admin/users/${id}/opt-out`, body, role);
const last = async (id: string) =>
  (await harness.call({ url: `/internal/opt-out/${id}`, as: asService })).json().last;

it('an opt-out by an admin stops all texts, keeps its proof, and is recorded once', async () => {
  const me = await aSubscriber(harness);
  expect((await optOut(me.user_id)).statusCode).toBe(200);
  expect((await optOut(me.user_id)).statusCode).toBe(200);
  expect(await last(me.user_id)).toMatchObject({
    opted_out: true,
    source: 'staff',
    admin: expect.any(String),
    note,
  });
  const published = (await publishedEvents(harness.db, 'sms.recipient.opted_out')).filter(
    ({ data }) => (data as { user_id: string }).user_id === me.user_id,
  );
  expect(published.map(({ data }) => data)).toMatchObject([
    { source: 'staff', admin: { username: expect.any(String) } },
  ]);
  const actions = (await publishedEvents(harness.db, 'sms.admin.acted')).filter(
    ({ data }) => (data as { target: string }).target === me.user_id,
  );
  expect(actions).toHaveLength(1);
  expect(JSON.stringify(actions)).not.toContain('support');

  await release(harness, [aDispatch(me, harness)]);
  await harness.sendAllDue();
  expect(await harness.sandbox.texts(me.phone ?? '')).toEqual([]);

  await harness.receive('accounts.user.deleted', { user_id: me.user_id });
  expect(await harness.db.selectFrom('staff_opt_outs').selectAll().execute()).toEqual([]);
});

it('an opt-out by an admin reaches a subscriber who has neither confirmed the number nor paid', async () => {
  const me = recipientFacts({ phone_proven: false });
  await harness.receive('accounts.recipient.changed', me);
  expect((await optOut(me.user_id)).statusCode).toBe(200);
  const published = await publishedEvents(harness.db, 'sms.recipient.opted_out');
  expect(published.map(({ data }) => data)).toContainEqual(
    expect.objectContaining({ user_id: me.user_id, source: 'staff' }),
  );
});

it('requires a note, an operator and a known subscriber', async () => {
  const me = await aSubscriber(harness);
  expect((await optOut(me.user_id, 'operator', {})).statusCode).toBe(400);
  expect((await optOut(me.user_id, 'operator', { note: '   ' })).statusCode).toBe(400);
  expect((await optOut(me.user_id, 'viewer')).statusCode).toBe(403);
  expect((await optOut('00000000-0000-4000-8000-000000000000')).statusCode).toBe(404);
  expect(await last(me.user_id)).toBeNull();
});
