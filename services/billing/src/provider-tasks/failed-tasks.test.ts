import { randomUUID } from 'node:crypto';
import type { FailedItems } from '@daylift/contracts/failed.http';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startBilling, type TestBilling } from '../../test/harness.ts';

let billing: TestBilling;
beforeAll(async () => {
  billing = await startBilling();
});
afterAll(() => billing.stop());

/** Failed five times; its subject doesn't exist. */
async function aFailedTask(): Promise<string> {
  const subject = `in_${randomUUID().replaceAll('-', '')}`;
  const at = billing.deps.clock.now();
  await billing.db
    .insertInto('provider_tasks')
    .values({
      kind: 'sync_invoice',
      subject,
      tries: 5,
      next_try_at: at,
      claimed_until: null,
      error: `No such invoice: '${subject}'`,
      done_at: null,
      parked_at: at,
    })
    .execute();
  return `task.sync_invoice.${subject}`;
}
const failed = async () => {
  const headers = billing.as({ kind: 'service', name: 'gateway' });
  return (await billing.app.inject({ url: '/internal/parked', headers })).json<FailedItems>().items;
};
const end = (id: string, how: 'replay' | 'discard') =>
  billing.app.inject({
    method: 'POST',
    url: `/admin/parked/billing/${id}/${how}`,
    headers: billing.as({
      kind: 'admin',
      admin_id: randomUUID(),
      username: 'vera',
      role: 'owner',
      session_version: 0,
    }),
  });

it('a task that failed five times is listed with its reason, and a replay runs it again', async () => {
  const id = await aFailedTask();
  expect(await failed()).toMatchObject([{ id, kind: 'task', type: 'sync_invoice', tries: 5 }]);
  expect((await end(id, 'replay')).json()).toEqual({ outcome: 'replayed', error: null });
  expect((await end(id, 'replay')).json()).toEqual({ outcome: 'replayed', error: null });
  await billing.settle();
  const row = await billing.db
    .selectFrom('provider_tasks')
    .select(['tries', 'parked_at'])
    .where('subject', '=', id.split('.')[2] ?? '')
    .executeTakeFirst();
  expect(row?.tries).toBe(1);
  expect(row?.parked_at).toBeNull();
});

it('a discarded task is not run', async () => {
  const id = await aFailedTask();
  expect((await end(id, 'discard')).json()).toMatchObject({ outcome: 'discarded' });
  expect((await end(id, 'replay')).statusCode).toBe(409);
  await billing.settle();
  expect((await failed()).map((one) => one.id)).not.toContain(id);
  const row = await billing.db
    .selectFrom('provider_tasks')
    .select(['tries', 'done_at'])
    .where('subject', '=', id.split('.')[2] ?? '')
    .executeTakeFirst();
  expect(row).toMatchObject({ tries: 5, done_at: expect.any(Date) });
});

it('a task of a newer version waits for its processes', async () => {
  const { db, deps } = billing;
  const task = { subject: randomUUID(), next_try_at: deps.clock.now(), claimed_until: null };
  const unfinished = { error: null, done_at: null, parked_at: null };
  await db
    .insertInto('provider_tasks')
    .values({ ...task, ...unfinished, kind: 'newer_kind' })
    .execute();
  await billing.settle();
  const row = await db
    .selectFrom('provider_tasks')
    .select(['tries', 'claimed_until', 'error', 'done_at', 'parked_at'])
    .where('subject', '=', task.subject)
    .executeTakeFirst();
  expect(row).toEqual({ tries: 0, claimed_until: null, ...unfinished });
});

it('failed tasks are counted by index, without reading completed ones', async () => {
  const plan = await billing.db.transaction().execute(async (trx) => {
    await sql`set local enable_seqscan = off`.execute(trx);
    return trx
      .selectFrom('provider_tasks')
      .select((select) => select.fn.countAll().as('count'))
      .where('parked_at', 'is not', null)
      .explain();
  });
  expect(JSON.stringify(plan)).toContain('provider_tasks_parked');
});
