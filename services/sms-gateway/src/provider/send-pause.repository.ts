import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely';
import type { SmsDatabase } from '../database.ts';
import { nextProbeAt, type PauseEnd } from './send-pause.ts';

/** While the provider refuses everything or is down, texts stay queued, and one of them is tried now and then. */
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
 * Starts the pause, or extends it after a failed probe. Returns whether this call did so; concurrent callers change
 * nothing.
 */
export async function pauseSending(
  trx: Transaction<SmsDatabase>,
  pause: {
    reason: string;
    until: PauseEnd;
    is_outage: boolean;
    isProbe: boolean;
    now: Date;
    /** When the refused text was sent, if its error came later: it says nothing about a pause that has ended since. */
    sentAt?: Date;
  },
): Promise<boolean> {
  const current = await trx
    .selectFrom('send_pause')
    .select(['paused_at', 'resumed_at', 'failed_probes', 'is_outage'])
    .forUpdate()
    .executeTakeFirstOrThrow();
  if (current.paused_at !== null && !pause.isProbe) return false;
  const { sentAt, now } = pause;
  if (sentAt && current.resumed_at !== null && sentAt < current.resumed_at) return false;
  // A different fault starts its own back-off.
  const failed = current.is_outage === pause.is_outage ? current.failed_probes : 0;
  const probeAt = nextProbeAt(
    pause.until,
    failed,
    pause.until === 'midnight_utc' ? (sentAt ?? now) : now,
  );
  // That day's limit has already reset.
  if (probeAt <= now) return false;
  await trx
    .updateTable('send_pause')
    .set({
      paused_at: current.paused_at ?? now,
      reason: pause.reason,
      probe_at: probeAt,
      failed_probes: failed + 1,
      is_outage: pause.is_outage,
      unclear_in_a_row: 0,
    })
    .execute();
  return true;
}

export async function resumeSending(db: Kysely<SmsDatabase>, now: Date): Promise<void> {
  await db
    .updateTable('send_pause')
    .set({
      paused_at: null,
      resumed_at: now,
      reason: null,
      probe_at: null,
      failed_probes: 0,
      is_outage: false,
      unclear_in_a_row: 0,
    })
    .execute();
}

/** Schedules the next probe. */
export async function tryAt(db: Kysely<SmsDatabase>, instant: Date): Promise<void> {
  await db
    .updateTable('send_pause')
    .set({ probe_at: instant })
    .where('paused_at', 'is not', null)
    .execute();
}

/** Claims the probe for one process; if it crashes, another may try at `again`. */
export async function takeProbe(
  db: Kysely<SmsDatabase>,
  now: Date,
  nextProbeAt: Date,
): Promise<boolean> {
  const result = await db
    .updateTable('send_pause')
    .set({ probe_at: nextProbeAt })
    .where('paused_at', 'is not', null)
    .where('probe_at', '<=', now)
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}

/** Returns the number of consecutive unclear responses, or 0 while sending is paused. */
export async function countUnclear(trx: Transaction<SmsDatabase>): Promise<number> {
  const row = await trx
    .updateTable('send_pause')
    .set({ unclear_in_a_row: sql`unclear_in_a_row + 1` })
    .where('paused_at', 'is', null)
    .returning('unclear_in_a_row')
    .executeTakeFirst();
  return row?.unclear_in_a_row ?? 0;
}

/** Almost always there is nothing to write, so senders don't block each other. */
export async function forgetUnclear(trx: Transaction<SmsDatabase>): Promise<void> {
  await trx
    .updateTable('send_pause')
    .set({ unclear_in_a_row: 0 })
    .where('unclear_in_a_row', '>', 0)
    .execute();
}

/** SQL: why sending was paused when the last window of `texts` closed, or null if it wasn't. */
export const pauseAtDeadline: RawBuilder<string | null> = sql<string | null>`(
  select case when is_outage then 'provider_down' else reason end from send_pause
  where paused_at <= texts.deadline_at)`;
