import { randomUUID } from 'node:crypto';
import type { AdminRole } from '@daylift/contracts/fields';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { adminCalls } from '../../test/admin-calls.ts';
import { aNumber, aSubscriber, asAdmin } from '../../test/factories.ts';
import { createHarness, type Harness } from '../../test/harness.ts';

let harness: Harness;
let admin: ReturnType<typeof adminCalls>;
beforeAll(async () => {
  harness = await createHarness();
  admin = adminCalls(harness);
});
afterAll(() => harness.close());

const send = (phone: string, change: object = {}, role?: AdminRole) =>
  admin.post(
    '/admin/test-texts',
    { content: 'Hi {{first_name}}', phone, idempotency_key: randomUUID(), ...change },
    role,
  );
const wordsTo = async (number: string) =>
  (await harness.sandbox.texts(number)).map(({ text }) => text);

it('sends a marked test once and counts it neither as a daily text nor in statistics', async () => {
  const number = aNumber();
  const me = await aSubscriber(harness, { phone: number });
  const idempotency_key = randomUUID();
  for (let n = 0; n < 2; n += 1)
    expect((await send(number, { idempotency_key })).statusCode).toBe(200);
  await harness.sendAllDue();
  expect(await wordsTo(number)).toEqual([expect.stringMatching(/^\[Test\] Hi \w+$/)]);
  const [text] = await harness.db
    .selectFrom('texts')
    .selectAll()
    .where('kind', '=', 'test')
    .execute();
  expect(text).toMatchObject({ is_test: true, user_id: null });
  expect(await harness.db.selectFrom('daily_counts').selectAll().execute()).toEqual([]);
  const history = await harness.db
    .selectFrom('texts')
    .select('id')
    .where('user_id', '=', me.user_id)
    .execute();
  expect(history).toEqual([]);
  const actions = await admin.adminActions();
  expect(actions.map((one) => one.action)).toEqual(['message.tested']);
  expect(JSON.stringify(actions)).not.toContain(number);
});

it('limits tests per admin and hour, rejects opted-out numbers, and requires an operator', async () => {
  const number = aNumber();
  const stopped = aNumber();
  await aSubscriber(harness, { phone: stopped });
  await harness.db
    .insertInto('opt_outs')
    .values({
      number_hash: harness.deps.numberHash(stopped),
      opted_out: true,
      changed_at: harness.clock.now(),
      source: 'keyword',
    })
    .execute();
  expect((await send(stopped)).statusCode).toBe(409);
  expect((await send('12')).statusCode).toBe(400);
  expect((await send(number, { content: ' ' })).statusCode).toBe(400);
  expect((await send(number, {}, 'viewer')).statusCode).toBe(403);
  const one = asAdmin('operator');
  const sendAs = async () => {
    const body = { content: 'Hi', phone: number, idempotency_key: randomUUID() };
    const call = { method: 'POST' as const, url: '/admin/test-texts', as: one };
    const headers = { 'content-type': 'application/json' };
    return (await harness.call({ ...call, headers, body: JSON.stringify(body) })).statusCode;
  };
  for (let n = 0; n < 10; n += 1) expect(await sendAs()).toBe(200);
  expect(await sendAs()).toBe(429);
});
