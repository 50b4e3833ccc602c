import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely';
import type { SmsDatabase } from '../database.ts';
import { nextProbeAt, type PauseEnd } from './send-pause.ts';

/** While the provider refuses everything or is down, sending rests: rows stay queued, and now and then one text tries. */
export interface SendPause {
  paused_at: Date;
  reason: string;
  probe_at: Date;
  failed_probes: number;
  is_outage: boolean;
}

export async function findSendPause(db: Kysely<SmsDatabase>): Promise<SendPause | null> {
  const row = await db
    .selectFrom('send_pause')
    .select(['paused_at', 'reason', 'probe_at', 'failed_probes', 'is_outage'])
    .where('paused_at', 'is not', null)
    .executeTakeFirst();
  if (!row?.probe_at || row.paused_at === null) return null;
  return {
    paused_at: row.paused_at,
    reason: row.reason ?? 'unknown',
    probe_at: row.probe_at,
    failed_probes: row.failed_probes,
    is_outage: row.is_outage,
  };
}

/**
 * Starts the pause or, after a probe that failed as well, prolongs it; whoever else finds out meanwhile changes nothing.
 * Answers whether it did.
 */
export async function pauseSending(
  trx: Transaction<SmsDatabase>,
  pause: { reason: string; until: PauseEnd; is_outage: boolean; isProbe: boolean; now: Date },
): Promise<boolean> {
  const current = await trx
    .selectFrom('send_pause')
    .select(['paused_at', 'failed_probes', 'is_outage'])
    .forUpdate()
    .executeTakeFirstOrThrow();
  if (current.paused_at !== null && !pause.isProbe) return false;
  // Another trouble than before: what was waited for the first one says nothing of it.
  const failed = current.is_outage === pause.is_outage ? current.failed_probes : 0;
  await trx
    .updateTable('send_pause')
    .set({
      paused_at: current.paused_at ?? pause.now,
      reason: pause.reason,
      probe_at: nextProbeAt(pause.until, failed, pause.now),
      failed_probes: failed + 1,
      is_outage: pause.is_outage,
      unclear_in_a_row: 0,
    })
    .execute();
  return true;
}

export async function resumeSending(db: Kysely<SmsDatabase>): Promise<void> {
  await db
    .updateTable('send_pause')
    .set({
      paused_at: null,
      reason: null,
      probe_at: null,
      failed_probes: 0,
      is_outage: false,
      unclear_in_a_row: 0,
    })
    .execute();
}

/** Appoints the next try. */
export async function tryAt(db: Kysely<SmsDatabase>, instant: Date): Promise<void> {
  await db
    .updateTable('send_pause')
    .set({ probe_at: instant })
    .where('paused_at', 'is not', null)
    .execute();
}

/** One process may try; if it dies with it, another one may at `again`. */
export async function takeProbe(db: Kysely<SmsDatabase>, now: Date, again: Date): Promise<boolean> {
  const result = await db
    .updateTable('send_pause')
    .set({ probe_at: again })
    .where('paused_at', 'is not', null)
    .where('probe_at', '<=', now)
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}

/** Answers how many calls in a row were without a clear answer; 0 while sending rests anyway. */
export async function countUnclear(trx: Transaction<SmsDatabase>): Promise<number> {
  const row = await trx
    .updateTable('send_pause')
    .set({ unclear_in_a_row: sql`unclear_in_a_row + 1` })
    .where('paused_at', 'is', null)
    .returning('unclear_in_a_row')
    .executeTakeFirst();
  return row?.unclear_in_a_row ?? 0;
}

/** As good as always there is nothing to write, so that senders do not wait for each other here. */
export async function forgetUnclear(trx: Transaction<SmsDatabase>): Promise<void> {
  await trx
    .updateTable('send_pause')
    .set({ unclear_in_a_row: 0 })
    .where('unclear_in_a_row', '>', 0)
    .execute();
}

/** Why sending rested when the last window of a text `texts` closed; null: it did not. */
export const pauseAtDeadline: RawBuilder<string | null> = sql<string | null>`(
  select case when is_outage then 'provider_down' else reason end from send_pause
  where paused_at <= texts.deadline_at)`;
