import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { createDatabase } from '@daylift/database/create-database';
import { spansBackward } from '@daylift/database/date-spans';
import { ensureMonthlyPartitions } from '@daylift/database/partitions';
import { createTestDatabase } from '@daylift/testing/test-database';
import { type Kysely, sql } from 'kysely';
import { expect, it } from 'vitest';
import { pastTexts } from '../../test/factories.ts';
import type { SmsDatabase } from '../database.ts';
import { readHistory } from './read-history.ts';

it('searches back in adjacent spans of doubling length until the first text', async () => {
  const spans = [];
  for await (const span of spansBackward('2027-03-09', async () => '2026-11-01')) spans.push(span);
  expect(spans).toEqual([
    { from: '2027-02-07', until: '2027-03-09' },
    { from: '2026-12-07', until: '2027-02-06' },
    { from: '2026-08-05', until: '2026-12-06' },
  ]);
  const none = [];
  for await (const span of spansBackward('2027-03-09', async () => null)) none.push(span);
  expect(none).toHaveLength(1);
});

it('reads only the newest months for the newest page', async () => {
  const database = await createTestDatabase({
    schema: 'sms_gateway',
    folder: join(import.meta.dirname, '../../migrations'),
  });
  const db = createDatabase<SmsDatabase>({
    url: database.url,
    max: 1,
    name: 'history-test',
    onError: () => undefined,
  });
  try {
    const now = new Date('2027-03-09T15:00:00Z');
    await ensureMonthlyPartitions(
      db as unknown as Kysely<never>,
      'texts',
      new Date('2024-04-01T00:00:00Z'),
      36,
    );
    const me = randomUUID();
    const today = Temporal.PlainDate.from('2027-03-09');
    await pastTexts(
      db,
      me,
      Array.from({ length: 900 }, (_unused, index) => ({
        local_date: today.subtract({ days: index }).toString(),
      })),
    );
    const readMonths = async () => {
      await sql`select pg_stat_force_next_flush()`.execute(db);
      const result = await sql<{ name: string; reads: number }>`
        select relname as name, (seq_scan + coalesce(idx_scan, 0))::int as reads from pg_stat_user_tables
        where schemaname = current_schema() and relname like 'texts_2%'`.execute(db);
      return new Map(result.rows.map(({ name, reads }) => [name, reads]));
    };
    const before = await readMonths();
    expect(await readHistory(db, me, { limit: 10 }, now)).toHaveLength(10);
    const after = await readMonths();
    const touched = [...after].filter(([name, reads]) => reads > (before.get(name) ?? 0));
    expect(touched.map(([name]) => name).sort()).toEqual(['texts_2027_02', 'texts_2027_03']);
  } finally {
    await db.destroy();
    await database.drop();
  }
});
