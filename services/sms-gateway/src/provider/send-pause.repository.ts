import type { Kysely, Transaction } from 'kysely';
import type { SmsDatabase } from '../database.ts';
import { nextProbeAt, type PauseEnd } from './send-pause.ts';

/** While the provider refuses everything, sending rests: rows stay queued, and from time to time one text tries again. */
export interface SendPause {
  paused_at: Date;
  reason: string;
  probe_at: Date;
  failed_probes: number;
}

export async function findSendPause(db: Kysely<SmsDatabase>): Promise<SendPause | null> {
  const row = await db
    .selectFrom('send_pause')
    .select(['paused_at', 'reason', 'probe_at', 'failed_probes'])
    .where('paused_at', 'is not', null)
    .executeTakeFirst();
  if (!row?.probe_at || row.paused_at === null) return null;
  return {
    paused_at: row.paused_at,
    reason: row.reason ?? 'unknown',
    probe_at: row.probe_at,
    failed_probes: row.failed_probes,
  };
}

/** Starts the pause or, after a probe that failed as well, prolongs it; whoever else finds out meanwhile changes nothing. */
export async function pauseSending(
  trx: Transaction<SmsDatabase>,
  pause: { reason: string; until: PauseEnd; isProbe: boolean; now: Date },
): Promise<void> {
  const current = await trx
    .selectFrom('send_pause')
    .select(['paused_at', 'failed_probes'])
    .forUpdate()
    .executeTakeFirstOrThrow();
  if (current.paused_at !== null && !pause.isProbe) return;
  await trx
    .updateTable('send_pause')
    .set({
      paused_at: current.paused_at ?? pause.now,
      reason: pause.reason,
      probe_at: nextProbeAt(pause.until, current.failed_probes, pause.now),
      failed_probes: current.failed_probes + 1,
    })
    .execute();
}

export async function resumeSending(db: Kysely<SmsDatabase>): Promise<void> {
  await db
    .updateTable('send_pause')
    .set({ paused_at: null, reason: null, probe_at: null, failed_probes: 0 })
    .where('paused_at', 'is not', null)
    .execute();
}

/** Brings the next try forward. */
export async function tryAt(trx: Transaction<SmsDatabase>, now: Date): Promise<void> {
  await trx
    .updateTable('send_pause')
    .set({ probe_at: now })
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
