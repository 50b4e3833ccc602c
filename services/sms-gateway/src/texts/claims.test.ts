import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { aQueuedText } from '../../test/factories.ts';
import { createHarness, type Harness } from '../../test/harness.ts';
import { claimText } from './claims.repository.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
});
afterAll(() => harness.close());

it('claiming one text reads no other, however many wait and however old the statistics are', async () => {
  const { id } = await aQueuedText(harness);
  // Statistics of a quiet hour: of some that were skipped, none that waits.
  await queueLike(id, 'skipped');
  await sql`analyze texts`.execute(harness.db);
  await queueLike(id, 'queued');

  const now = harness.clock.now();
  const claim = { token: randomUUID(), leaseUntil: new Date(Date.now() + 9_000), isProbe: false };
  const reads = await harness.db.transaction().execute(async (trx) => {
    expect(await claimText(trx, id, { ...claim, now })).not.toBeNull();
    const { rows } = await sql<{ rows_read: number }>`
      select sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::int as rows_read
      from pg_stat_xact_user_tables where relname like 'texts%'`.execute(trx);
    return rows[0]?.rows_read;
  });
  expect(reads).toBeLessThan(10);
});

/** A thousand more, each of somebody else. */
async function queueLike(id: string, state: string): Promise<void> {
  await sql`
    insert into texts select (jsonb_populate_record(one, jsonb_build_object(
      'id', left(one.id, 9) || md5(${state} || number), 'user_id', gen_random_uuid(), 'state', ${state}::text,
      'settled_at', case ${state} when 'queued' then null else one.created_at end))).*
    from texts one, generate_series(1, 1000) number where one.id = ${id}`.execute(harness.db);
}
