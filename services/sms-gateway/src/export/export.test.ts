import { randomUUID } from 'node:crypto';
import { oneTimeCode } from '@daylift/server/one-time-code';
import { eventually } from '@daylift/testing/eventually';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { adminCalls } from '../../test/admin-calls.ts';
import {
  aDispatch,
  aNumber,
  aSubscriber,
  asAdmin,
  asService,
  asUser,
  release,
} from '../../test/factories.ts';
import { createHarness, type Harness, oneTimeCodeKey } from '../../test/harness.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
});
afterAll(() => harness.close());

const readExport = (id: string) => harness.call({ url: `/internal/export/${id}`, as: asService });

it("contains the user's texts as sent, replies and STOP, and no one else's", async () => {
  const [me, other] = [
    await aSubscriber(harness),
    await aSubscriber(harness, { first_name: 'Eve' }),
  ];
  for (const one of [me, other]) {
    const dispatch = aDispatch(one, harness, { content: 'Hi {{first_name}}' });
    await release(harness, [dispatch]);
    await harness.send(dispatch.dispatch_id);
    await harness.reaches(dispatch.dispatch_id, 'delivered');
  }
  const request_id = randomUUID();
  const expires_at = new Date(harness.clock.now().getTime() + 600_000).toISOString();
  await harness.receive('accounts.code.requested', { request_id, user_id: me.user_id, expires_at });
  await harness.sendAllDue();
  await harness.sandbox.reply(other.phone, 'Nice');
  await harness.sandbox.reply(me.phone, 'I like it');
  await harness.sandbox.reply(me.phone, 'STOP');
  const replies = async () => (await readExport(me.user_id)).json<{ replies: unknown[] }>().replies;
  await eventually(async () => (await replies()).length === 2);
  const response = await readExport(me.user_id);
  expect(response.json()).toMatchObject({
    number: me.phone,
    texts: [
      {
        kind: 'daily',
        local_date: '2027-03-09',
        content: 'Hi Ada',
        status: 'delivered',
        number: me.phone,
        sent_at: expect.stringMatching(/^2027-03-09T/),
      },
      { kind: 'one_time_code', content: expect.stringContaining('(code) is your code') },
    ],
    replies: [{ content: 'I like it' }, { content: 'STOP' }],
    opt_out: { opted_out: true, source: 'keyword' },
  });
  for (const foreign of [
    request_id,
    oneTimeCode(oneTimeCodeKey, request_id),
    other.phone,
    'Eve',
    'provider_id',
    'attempt_token',
    'number_hash',
  ])
    expect(response.body).not.toContain(foreign);
});

it('contains replies to the number from before the signup, and what an admin noted about an opt-out', async () => {
  const phone = aNumber();
  await harness.sandbox.reply(phone, 'HELP');
  await eventually(() => harness.sendAllDue());
  const me = await aSubscriber(harness, { phone });
  const note = 'Called on March 9 and asked us to stop.';
  await adminCalls(harness).post(`/admin/users/${me.user_id}/opt-out`, { note }, 'operator');
  expect((await readExport(me.user_id)).json()).toMatchObject({
    texts: [{ kind: 'help' }],
    replies: [{ content: 'HELP' }],
    opt_outs_by_staff: [{ note }],
  });
  // A stranger may have the number after them.
  await harness.receive('accounts.recipient.changed', { ...me, version: 2, phone: aNumber() });
  await harness.sandbox.reply(phone, 'HELP');
  await eventually(() => harness.sendAllDue());
  const { texts, replies } = (await readExport(me.user_id)).json();
  expect(replies).toMatchObject([{ content: 'HELP' }]);
  expect(texts.filter(({ kind }: { kind: string }) => kind === 'help')).toHaveLength(1);
});

it('is empty for unknown and deleted users, and is for services only', async () => {
  const deleted = await aSubscriber(harness);
  await harness.receive('accounts.user.deleted', { user_id: deleted.user_id });
  for (const id of [deleted.user_id, randomUUID()])
    expect((await readExport(id)).json()).toEqual({});
  expect((await readExport('me')).statusCode).toBe(400);
  const url = `/internal/export/${deleted.user_id}`;
  expect((await harness.call({ url })).statusCode).toBe(401);
  for (const as of [asUser(deleted.user_id), asAdmin('owner')])
    expect((await harness.call({ url, as })).statusCode).toBe(403);
});
