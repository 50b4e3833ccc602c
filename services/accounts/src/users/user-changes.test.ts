import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { aUser, userRow } from '../../test/factories.ts';
import { asUser, createHarness, type Harness, testStart } from '../../test/harness.ts';
import { changeUser } from './users.actions.ts';
import { lockUser } from './users.repository.ts';

let harness: Harness;
let id: string;
beforeAll(async () => {
  harness = await createHarness();
});
beforeEach(async () => {
  harness.clock.set(testStart);
  ({ id } = await aUser(harness));
});
afterAll(() => harness.close());

const put = (body: object) =>
  harness.call({ method: 'PUT', url: '/users/me', as: asUser(id), body });
const recorded = () =>
  harness.deps.db
    .selectFrom('user_changes')
    .select(['actor', 'admin_username', 'changes', 'changed_at'])
    .where('user_id', '=', id)
    .orderBy('id')
    .execute();

describe('The history of settings', () => {
  it("records a subscriber's changes with old and new values, and nothing unchanged", async () => {
    await put({ delivery_time: '07:00', timezone: 'America/Denver', delivery_enabled: true });
    await put({ delivery_time: '07:00' });
    expect(await recorded()).toEqual([
      {
        actor: 'subscriber',
        admin_username: null,
        changes: { delivery_hour: [9, 7], timezone: ['America/Chicago', 'America/Denver'] },
        changed_at: new Date(testStart),
      },
    ]);
  });

  it('records only that a number changed, and the effect on consent', async () => {
    await put({ phone: '+12025550143', current_password: 'correct horse' });
    const rows = await recorded();
    expect(rows.map((row) => row.changes)).toEqual([
      { consent: ['granted', 'pending'], phone: [null, null] },
    ]);
    expect(JSON.stringify(rows)).not.toContain('2025550143');
  });

  it('records changes by reply, STOP and START with the time they were sent', async () => {
    const at = '2027-03-06T14:59:00.000Z';
    const change = { command: 'hour', delivery_hour: 6 };
    await harness.receive('sms.setting.requested', { user_id: id, change, at });
    await harness.receive('sms.recipient.opted_out', { user_id: id, at, source: 'keyword' });
    const later = '2027-03-06T14:59:30.000Z';
    await harness.receive('sms.recipient.opted_in', { user_id: id, at: later });
    // An older STOP that arrives later has no effect.
    await harness.receive('sms.recipient.opted_out', { user_id: id, at, source: 'keyword' });
    expect(await recorded()).toMatchObject([
      { actor: 'reply', changes: { delivery_hour: [9, 6] } },
      { actor: 'reply', changes: { opted_out: [false, true] }, changed_at: new Date(at) },
      { actor: 'reply', changes: { opted_out: [true, false] }, changed_at: new Date(later) },
    ]);
    expect((await userRow(harness, id)).opted_out).toBe(false);
  });

  it('attributes a STOP known only to the provider to no one', async () => {
    const stop = { user_id: id, at: testStart, source: 'provider' };
    await harness.receive('sms.recipient.opted_out', stop);
    expect((await recorded()).map((row) => row.actor)).toEqual(['system']);
  });

  it('names the admin behind a change, even when it is repeated', async () => {
    const admin = { by: 'admin' as const, admin_id: randomUUID(), username: 'grace' };
    for (const is_active of [false, false, true])
      await harness.deps.db.transaction().execute(async (trx) => {
        const user = await lockUser(trx, id);
        await changeUser(trx, user!, { is_active }, harness.clock.now(), admin);
      });
    expect(await recorded()).toMatchObject([
      { actor: 'admin', admin_username: 'grace', changes: { is_active: [true, false] } },
      { actor: 'admin', admin_username: 'grace', changes: { is_active: [false, true] } },
    ]);
  });

  it('starts with the signup and is deleted with the account', async () => {
    await put({ delivery_time: '07:00' });
    const { history_since, registered_at } = await userRow(harness, id);
    expect(history_since).toEqual(registered_at);
    const deleted = await harness.call({
      method: 'POST',
      url: '/users/me/delete',
      as: asUser(id),
      body: { password: 'correct horse' },
    });
    expect(deleted.statusCode).toBe(200);
    expect(await recorded()).toEqual([]);
  });
});
