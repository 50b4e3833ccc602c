import { randomUUID } from 'node:crypto';
import type { SmsLive } from '@daylift/contracts/live.http';
import type { BatchProgress } from '@daylift/contracts/sms.events';
import type { SmsBatch, SmsStats } from '@daylift/contracts/sms.http';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
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
import { createHarness, type Harness } from '../../test/harness.ts';
import { foldCounts } from './fold-counts.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness({ timeoutMs: 2_000, leaseMs: 5_000 });
});
afterAll(() => harness.close());
afterEach(async () => {
  await harness.sandbox.faults({ reset: true });
  // Several random faults in a row pause sending.
  await harness.db.updateTable('send_pause').set({ paused_at: null }).execute();
});

const get = async <T>(url: string, as = asAdmin()): Promise<T> => {
  const response = await harness.call({ url, as });
  expect(response.statusCode).toBe(200);
  return response.json<T>();
};
const foldAll = async () => {
  while ((await foldCounts(harness.db, harness.clock.now())) > 0);
};

/** Recounts from the texts, independently. */
async function recount(batchId: string) {
  const rows = await harness.db
    .selectFrom('texts')
    .selectAll()
    .where('batch_id', '=', batchId)
    .execute();
  const count = (...states: string[]) => rows.filter(({ state }) => states.includes(state)).length;
  return {
    total: rows.length - count('superseded'),
    successful: count('accepted', 'sent', 'delivered'),
    failed: count('failed', 'refused', 'missed', 'unknown'),
    pending: count('queued', 'inflight'),
  };
}

/** Creates a batch with every outcome and two messages. */
async function aMixedBatch() {
  const messages = [randomUUID(), randomUUID()];
  const fates = ['good', 'good', 'good', '40310', '40300', '40008', 'stopped', 'paused', 'moved'];
  const people = await Promise.all(fates.map(() => aSubscriber(harness)));
  const dispatches = people.map((one, index) =>
    aDispatch(one, harness, { scheduled_message_id: messages[index % 2]! }),
  );
  const batch = await release(harness, dispatches);
  const numberOf = (fate: string) => people[fates.indexOf(fate)]!.phone;
  await harness.sandbox.faults({
    recipients: {
      [numberOf('40310')]: { code: '40310' },
      [numberOf('40300')]: { code: '40300' },
      [numberOf('40008')]: { final: 'delivery_failed', code: '40008' },
    },
  });
  await harness.receive('accounts.recipient.changed', {
    ...people[fates.indexOf('paused')]!,
    version: 2,
    paused_until: '2027-04-01',
  });
  await harness.receive('accounts.recipient.changed', {
    ...people[fates.indexOf('stopped')]!,
    version: 2,
    delivery_enabled: false,
  });
  await harness.receive('accounts.recipient.changed', {
    ...people[fates.indexOf('moved')]!,
    version: 2,
    delivery_hour: 18,
  });
  return { batch, messages, dispatches, numberOf, fates };
}

describe('a batch', () => {
  it('counts its texts by outcome and message; opt-outs, skipped and replaced ones are not failures', async () => {
    const { batch, messages, dispatches, fates } = await aMixedBatch();
    expect(await get<SmsBatch[]>('/admin/sms-batches')).toMatchObject([
      { id: batch.id, status: 'pending', total_jobs: 9, completed_jobs: 0, failed_jobs: 0 },
    ]);
    await Promise.all(dispatches.map(({ dispatch_id }) => harness.send(dispatch_id)));
    await harness.reaches(dispatches[0]!.dispatch_id, 'delivered');
    await harness.reaches(dispatches[fates.indexOf('40008')]!.dispatch_id, 'failed');
    const counts = { total: 8, successful: 3, failed: 2, pending: 0 };
    expect(await recount(batch.id)).toEqual(counts);
    expect(await get<SmsBatch[]>('/admin/sms-batches?limit=1')).toMatchObject([
      {
        id: batch.id,
        status: 'completed',
        completed_jobs: 3,
        failed_jobs: 2,
        opted_out_jobs: 1,
        skipped_jobs: 2,
        failure_rate: 40,
      },
    ]);
    await foldAll();
    const progress = (await harness.published<BatchProgress>('sms.batch.progressed')).filter(
      ({ batch_id }) => batch_id === batch.id,
    );
    const last = progress.at(-1)!;
    expect(last).toMatchObject(counts);
    expect(progress.map(({ version }) => version)).toEqual(
      progress.map((_one, index) => index + 1),
    );
    expect(last.by_message.map(({ scheduled_message_id }) => scheduled_message_id)).toEqual(
      messages.toSorted(),
    );
    expect(last.by_message.reduce((sum, { successful }) => sum + successful, 0)).toBe(3);
    expect(last.by_message.reduce((sum, { failed }) => sum + failed, 0)).toBe(2);
  });

  it('has counts equal to a recount at every moment, before and after folding', async () => {
    const people = await Promise.all(Array.from({ length: 25 }, () => aSubscriber(harness)));
    const dispatches = people.map((one) => aDispatch(one, harness));
    const batch = await release(harness, dispatches);
    await harness.sandbox.faults({ telnyx: { undelivered: 0.3 }, accept_then_drop: 0.1 });
    const listed = async () => {
      const [newest] = await get<SmsBatch[]>('/admin/sms-batches?limit=1');
      return {
        total: newest!.total_jobs,
        successful: newest!.completed_jobs,
        failed: newest!.failed_jobs,
      };
    };
    const running = Promise.all(dispatches.map(({ dispatch_id }) => harness.send(dispatch_id)));
    await Promise.all([running, foldAll(), foldAll()]);
    await foldAll();
    await harness.db
      .transaction()
      .setIsolationLevel('repeatable read')
      .execute(async (trx) => {
        const folded = await trx
          .selectFrom('batches')
          .selectAll()
          .where('id', '=', batch.id)
          .executeTakeFirstOrThrow();
        const open = await sql<{
          successful: number;
        }>`select coalesce(sum(successful), 0)::int as successful
        from count_changes where batch_id = ${batch.id}`.execute(trx);
        const counted = await sql<{
          count: number;
        }>`select count(*) from texts where batch_id = ${batch.id}
        and state in ('accepted', 'sent', 'delivered')`.execute(trx);
        expect(folded.successful + open.rows[0]!.successful).toBe(counted.rows[0]!.count);
      });
    await Promise.all(
      dispatches.map(async ({ dispatch_id }) => {
        const { state } = await harness.text(dispatch_id);
        if (state !== 'delivered' && state !== 'failed')
          await Promise.race([
            harness.reaches(dispatch_id, 'delivered'),
            harness.reaches(dispatch_id, 'failed'),
          ]);
      }),
    );
    const { pending: _, ...counts } = await recount(batch.id);
    expect(await listed()).toEqual(counts);
    await foldAll();
    expect(await listed()).toEqual(counts);
  });
});

it('adds only real texts to the statistics, with costs from receipts', async () => {
  await foldAll();
  const before = await get<SmsStats>('/internal/analytics/sms', asService);
  const people = await Promise.all(Array.from({ length: 3 }, () => aSubscriber(harness)));
  const dispatches = people.map((one) => aDispatch(one, harness));
  await release(harness, dispatches);
  await harness.sandbox.reply(people[0]!.phone, 'HELP');
  await harness.sendAllDue();
  for (const { dispatch_id } of dispatches) await harness.reaches(dispatch_id, 'delivered');
  const after = await get<SmsStats>('/admin/sms-stats');
  expect(after.total_sent - before.total_sent).toBe(3);
  expect(after.successful - before.successful).toBe(3);
  expect(after.total_cost - before.total_cost).toBeCloseTo(0.021, 6);
  await foldAll();
  expect(await get<SmsStats>('/admin/sms-stats')).toEqual(after);
  const counted = await sql<{
    cost: string;
    sent: number;
  }>`select sum(cost)::text as cost, count(*) filter
    (where state in ('accepted', 'sent', 'delivered', 'failed', 'refused', 'unknown')) as sent
    from texts where batch_id is not null and not is_test`.execute(harness.db);
  expect(after.total_cost).toBeCloseTo(Number(counted.rows[0]!.cost), 6);
  expect(after.total_sent).toBe(counted.rows[0]!.sent);
});

it('shows viewers the batches, the statistics and why sending is paused', async () => {
  const live = await get<SmsLive>('/internal/live', asService);
  expect(live.batches).toEqual(await get('/admin/sms-batches'));
  expect(live.sms).toEqual(await get('/admin/sms-stats'));
  expect(live.freeze).toEqual(await get('/admin/freeze'));
  expect(live.testing_mode).toEqual({ enabled: false, revision: 1 });
});

it('uses the price of the latest receipt', async () => {
  expect(await get('/internal/price', asService)).toMatchObject({
    per_part: '0.007',
    currency: 'USD',
  });
});

describe('access', () => {
  it.each<[string, 'GET' | 'POST', number, ReturnType<typeof asUser> | undefined]>([
    ['/admin/sms-batches', 'GET', 401, undefined],
    ['/admin/sms-batches', 'GET', 403, asUser(randomUUID())],
    ['/admin/sms-batches?limit=0', 'GET', 400, asAdmin()],
    ['/admin/sms-batches?limit=1e9', 'GET', 400, asAdmin()],
    ['/admin/sms-batches?limit=ten', 'GET', 400, asAdmin()],
    ['/admin/sms-stats', 'GET', 401, undefined],
    ['/admin/sms-stats', 'GET', 403, asService],
    ['/admin/scheduler/process-queue', 'POST', 401, undefined],
    ['/admin/scheduler/process-queue', 'POST', 403, asAdmin('viewer')],
    ['/internal/queue', 'GET', 403, asAdmin('owner')],
    ['/internal/price', 'GET', 401, undefined],
    ['/internal/live', 'GET', 403, asAdmin('owner')],
    ['/internal/analytics/sms', 'GET', 403, asUser(randomUUID())],
    ['/users/me/sms-history', 'GET', 401, undefined],
    ['/users/me/analytics', 'GET', 403, asAdmin()],
    ['/users/me/sms-history?limit=101', 'GET', 400, asUser(randomUUID())],
    ['/users/me/sms-history?limit=-1', 'GET', 400, asUser(randomUUID())],
    ['/users/me/sms-history?limit=10;drop', 'GET', 400, asUser(randomUUID())],
    ['/nothing', 'GET', 404, asAdmin()],
  ])('%s %s: %i', async (url, method, status, as) => {
    const response = await harness.call({ url, method, ...(as && { as }) });
    expect(response.statusCode).toBe(status);
    expect(response.json()).toMatchObject({ detail: expect.any(String), code: expect.any(String) });
  });
});

it('counts texts to the test number as sent or failed', async () => {
  const number = aNumber();
  const setTestingMode = (body: object) =>
    adminCalls(harness).post('/admin/settings/testing-mode', body);
  await setTestingMode({ enabled: true, test_phone: number });
  await harness.sandbox.faults({ recipients: { [number]: { code: '40310' } } });
  const batch = await release(harness, [aDispatch(await aSubscriber(harness), harness)]);
  await harness.sendAllDue();
  const failed = { total_jobs: 1, completed_jobs: 0, failed_jobs: 1, skipped_jobs: 0 };
  for (const fold of [() => undefined, foldAll]) {
    await fold();
    expect(await get<SmsBatch[]>('/admin/sms-batches?limit=1')).toMatchObject([
      { id: batch.id, status: 'failed', failure_rate: 100, ...failed },
    ]);
  }
  const progress = await harness.published<BatchProgress>('sms.batch.progressed');
  expect(progress.at(-1)).toMatchObject({ batch_id: batch.id, total: 1, failed: 1 });
  await setTestingMode({ enabled: false });
});
