import { type Kysely, sql, type Transaction } from 'kysely';
import { canaryCode } from '../batches/batches.repository.ts';
import type { SmsDatabase } from '../database.ts';
import { isOneOf } from '../texts/due-texts.repository.ts';

export interface Canaries {
  id: string;
  ids: string[];
  stopped_at: Date;
  resumes_at: Date;
}

/** Returns batches of which only the first texts are sent so far. */
export function findCanaries(db: Kysely<SmsDatabase>): Promise<Canaries[]> {
  return db
    .selectFrom('batches')
    .select(['id', 'canary_ids as ids', 'stopped_at', 'resumes_at'])
    .where('stop_code', '=', sql.lit(canaryCode))
    .orderBy('resumes_at')
    .limit(20)
    .$narrowType<Canaries>()
    .execute();
}

/** Locks the batch's stop, so it's judged once. Returns false if it has ended or changed. */
export async function lockCanaries(trx: Transaction<SmsDatabase>, id: string): Promise<boolean> {
  const row = await trx
    .selectFrom('batches')
    .select('id')
    .where('id', '=', id)
    .where('stop_code', '=', sql.lit(canaryCode))
    .forUpdate()
    .skipLocked()
    .executeTakeFirst();
  return row !== undefined;
}

/** Counts texts that failed, and those that should have gone out by `soon`. Others wait for their window. */
export async function countCanaries(
  db: Kysely<SmsDatabase>,
  ids: string[],
  soon: Date,
): Promise<{ open: number; failed: number }> {
  const { rows } = await sql<{ open: number; failed: number }>`select
      count(*) filter (where state = 'inflight' or (state = 'queued' and next_attempt_at <= ${soon}))::int as open,
      count(*) filter (where state in ('refused', 'failed', 'unknown'))::int as failed
    from texts where ${isOneOf('texts', ids)}`.execute(db);
  return rows[0]!;
}

export async function holdLonger(
  trx: Transaction<SmsDatabase>,
  id: string,
  resumesAt: Date,
): Promise<void> {
  await trx.updateTable('batches').set({ resumes_at: resumesAt }).where('id', '=', id).execute();
}
