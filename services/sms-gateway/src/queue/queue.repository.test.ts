import { join } from 'node:path';
import { createDatabase } from '@daylift/database/create-database';
import { createTestDatabase, type TestDatabase } from '@daylift/testing/test-database';
import { type Kysely, sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { SmsDatabase } from '../database.ts';
import { newTextId } from '../texts/text-ids.ts';
import type { TextState } from '../texts/text-states.ts';
import { countQueue, findDueIds, findOpenIds } from './queue.repository.ts';

const now = new Date('2027-03-09T15:00:00Z');
const later = new Date('2027-03-09T15:00:01Z');
let database: TestDatabase;
let db: Kysely<SmsDatabase>;

beforeAll(async () => {
  database = await createTestDatabase({
    schema: 'sms_gateway',
    folder: join(import.meta.dirname, '../../migrations'),
  });
  const url = new URL(database.url);
  // Tables are scanned only if no index helps.
  url.searchParams.set('options', '-c enable_seqscan=off');
  db = createDatabase<SmsDatabase>({
    url: url.href,
    max: 1,
    name: 'queue-test',
    onError: () => undefined,
  });
});
afterAll(async () => {
  await db.destroy();
  await database.drop();
});

async function aText(state: TextState, nextAttempt: Date): Promise<string> {
  const id = newTextId('2027-03-09');
  const held = state === 'inflight';
  await db
    .insertInto('texts')
    .values({
      id,
      local_date: '2027-03-09',
      kind: 'help',
      content: 'Help',
      windows: '[]',
      deadline_at: later,
      state,
      attempt_token: held ? crypto.randomUUID() : null,
      lease_until: held ? later : null,
      to_number: '+13125550000',
      body: 'Help',
      handed_at: now,
      provider_id: 'known',
      next_attempt_at: nextAttempt,
      created_at: now,
    })
    .execute();
  return id;
}

async function wholeReads(): Promise<number> {
  await sql`select pg_stat_force_next_flush()`.execute(db);
  const result = await sql<{ reads: number }>`
    select coalesce(sum(seq_scan), 0)::int as reads from pg_stat_user_tables
    where schemaname = current_schema() and relname like 'texts%'`.execute(db);
  return result.rows[0]!.reads;
}

it('due and in-flight texts are counted and listed by index, without reading all texts', async () => {
  const due = await aText('queued', now);
  const held = [await aText('inflight', now), await aText('inflight', now)];
  await aText('queued', later);
  await aText('accepted', now);
  const before = await wholeReads();
  expect(await countQueue(db, now)).toEqual({ due: 1, held: 2 });
  expect((await findOpenIds(db, now, 10)).sort()).toEqual([due, ...held].sort());
  expect(await findDueIds(db, now, 10)).toEqual([due]);
  expect(await wholeReads()).toBe(before);
});
