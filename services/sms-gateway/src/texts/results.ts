import { minuteMs } from '@daylift/clock/durations';
import type { Kysely, Transaction } from 'kysely';
import type { SmsDatabase } from '../database.ts';
import { recordOptOut } from '../opt-outs/opt-outs.ts';
import { noteCall } from '../provider/breaker.ts';
import { retryDelayMs, type SendOutcome } from '../provider/outcome.ts';
import { countBreakOffs } from './break-offs.repository.ts';
import type { Held } from './claims.repository.ts';
import {
  endAttempt,
  freeExpiredClaims,
  type MissedText,
  takeGivenUp,
  takeLost,
  takeMissed,
} from './results.repository.ts';
import { publishSettled } from './settled.ts';
import { countMove, observeLateness } from './text-metrics.ts';
import type { TextState } from './text-states.ts';

/** The result of a provider call. */
export interface FinishedCall {
  held: Held;
  to: string;
  is_test: boolean;
  outcome: SendOutcome;
  isProbe: boolean;
  /** When the text was marked; the provider decided later than this. */
  begunAt: Date;
  now: Date;
  numberHash(number: string): string;
}

/** Receipts usually arrive within seconds; after this long the provider is asked. */
export const receiptOverdueMs = 15 * minuteMs;
/** A lost response is looked up sooner. */
const unknownCheckMs = 60_000;

/**
 * Records the outcome of one provider call and publishes it. If a receipt was faster, only adds what is still missing.
 * Returns whether sending pauses because of it.
 */
export async function recordOutcome(db: Kysely<SmsDatabase>, call: FinishedCall): Promise<boolean> {
  const { moved, pauses } = await db.transaction().execute(async (trx) => ({
    moved: await moveText(trx, call),
    pauses: await noteCall(trx, call),
  }));
  const text = { ...call.held.text, is_test: call.is_test };
  if (moved !== null) countMove({ text, from: 'inflight', to: moved });
  if (moved === 'accepted') observeLateness(text, call.now);
  return pauses;
}

/** Returns the new state, or null if it didn't change. */
async function moveText(
  trx: Transaction<SmsDatabase>,
  call: FinishedCall,
): Promise<TextState | null> {
  const { outcome } = call;
  switch (outcome.kind) {
    case 'accepted':
      return recordAccepted(trx, call, outcome.provider_id);
    case 'unsent':
      return recordUnsent(trx, call, outcome.reason, outcome.retry_after_ms);
    case 'account':
      return recordUnsent(trx, call, outcome.reason, null);
    case 'refused':
      return end(trx, call, { state: 'refused', reason: outcome.reason, code: outcome.code });
    case 'opted_out': {
      const moved = await end(trx, call, { state: 'skipped', reason: 'opted_out', code: null });
      await recordOptOut(trx, {
        numberHash: call.numberHash(call.to),
        // A START after this may already have lifted the block that the provider reports.
        at: call.begunAt,
        source: 'provider',
        now: call.now,
      });
      return moved;
    }
    case 'unknown':
      return end(trx, call, { state: 'unknown', reason: outcome.reason, code: null });
  }
}

async function recordAccepted(
  trx: Transaction<SmsDatabase>,
  call: FinishedCall,
  providerId: string,
): Promise<TextState | null> {
  const moved = await endAttempt(trx, call.held, ['inflight', 'unknown'], {
    state: 'accepted',
    reason: null,
    provider_id: providerId,
    settled_at: call.now,
    check_at: new Date(call.now.getTime() + receiptOverdueMs),
  });
  if (!moved) return null;
  await publishSettled(trx, identityOf(call), {
    outcome: 'accepted',
    reason: null,
    now: call.now,
  });
  return 'accepted';
}

/** Provably not sent, so the text may be retried while its windows are open. */
async function recordUnsent(
  trx: Transaction<SmsDatabase>,
  call: FinishedCall,
  reason: string,
  retryAfterMs: number | null,
): Promise<null> {
  const delayMs = retryDelayMs(call.held.text.attempts, retryAfterMs, Math.random());
  await endAttempt(trx, call.held, ['inflight', 'unknown'], {
    state: 'queued',
    reason,
    check_at: null,
    next_attempt_at: new Date(call.now.getTime() + delayMs),
    enqueued_at: null,
  });
  return null;
}

async function end(
  trx: Transaction<SmsDatabase>,
  call: FinishedCall,
  result: {
    state: TextState & ('refused' | 'skipped' | 'unknown');
    reason: string;
    code: string | null;
  },
): Promise<TextState | null> {
  const from: TextState[] = result.state === 'unknown' ? ['inflight'] : ['inflight', 'unknown'];
  const moved = await endAttempt(trx, call.held, from, {
    state: result.state,
    reason: result.reason,
    error_code: result.code,
    settled_at: call.now,
    check_at: result.state === 'unknown' ? new Date(call.now.getTime() + unknownCheckMs) : null,
  });
  if (!moved) return null;
  await publishSettled(trx, identityOf(call), {
    outcome: result.state,
    reason: result.reason,
    now: call.now,
  });
  return result.state;
}

const identityOf = ({ held, is_test }: FinishedCall) => ({ ...held.text, is_test });

/** Inflight texts whose worker's lease has expired may have been sent: their outcome is unknown. */
export async function markInflightUnknown(
  db: Kysely<SmsDatabase>,
  clock: { now: Date; wall: Date },
): Promise<number> {
  const lost = await db.transaction().execute(async (trx) => {
    const checkAt = new Date(clock.now.getTime() + unknownCheckMs);
    const lost = await takeLost(trx, { ...clock, checkAt, limit: 200 });
    for (const text of lost) {
      await publishSettled(trx, text, {
        outcome: 'unknown',
        reason: 'worker_lost',
        now: clock.now,
      });
    }
    return lost;
  });
  for (const text of lost) countMove({ text, from: 'inflight', to: 'unknown' });
  return lost.length;
}

/** Releases claimed texts of a crashed or aborted worker: nothing was sent. */
export async function freeClaimed(
  db: Kysely<SmsDatabase>,
  clock: { now: Date; wall: Date },
): Promise<number> {
  return db.transaction().execute(async (trx) => {
    const freed = await freeExpiredClaims(trx, clock.wall, 500);
    await countBreakOffs(trx, freed, clock.now);
    return freed.length;
  });
}

/** Ends queued texts whose last window has closed. */
export function endMissed(db: Kysely<SmsDatabase>, now: Date): Promise<number> {
  return settleQueued(db, now, (trx) => takeMissed(trx, now, 200));
}

/** Ends queued texts that were abandoned when a freeze was lifted. */
export function endGivenUp(db: Kysely<SmsDatabase>, now: Date): Promise<number> {
  return settleQueued(db, now, (trx) => takeGivenUp(trx, now, 200));
}

async function settleQueued(
  db: Kysely<SmsDatabase>,
  now: Date,
  take: (trx: Transaction<SmsDatabase>) => Promise<MissedText[]>,
): Promise<number> {
  const missed = await db.transaction().execute(async (trx) => {
    const missed = await take(trx);
    for (const text of missed)
      await publishSettled(trx, text, { outcome: 'missed', reason: text.reason, now });
    return missed;
  });
  for (const text of missed) countMove({ text, from: 'queued', to: 'missed' });
  return missed.length;
}
