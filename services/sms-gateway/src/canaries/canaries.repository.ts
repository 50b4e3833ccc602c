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

interface CanaryCounts {
  open: number;
  failed: number;
  without_receipt: number;
}

/** Returns batches that are still sending only their first texts. */
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

/**
 * Counts real texts that failed, those that should have gone out by `soon` (others wait for their window), and those
 * without a receipt. An unknown outcome is neither: an outage pauses all sending anyway.
 */
export async function countCanaries(
  db: Kysely<SmsDatabase>,
  ids: string[],
  soon: Date,
): Promise<CanaryCounts> {
  const { rows } = await sql<CanaryCounts>`select
      count(*) filter (where state = 'inflight' or (state = 'queued' and next_attempt_at <= ${soon}))::int as open,
      count(*) filter (where state in ('refused', 'failed') and not is_test)::int as failed,
      count(*) filter (where state = 'accepted')::int as without_receipt
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
