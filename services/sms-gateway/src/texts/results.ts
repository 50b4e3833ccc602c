import { minuteMs } from '@daylift/clock/durations';
import { nextCarrierDay } from '@daylift/delivery/carrier-day';
import type { Kysely, RawBuilder, Transaction } from 'kysely';
import type { SmsDatabase } from '../database.ts';
import { recordOptOut } from '../opt-outs/opt-outs.ts';
import { noteCalls } from '../provider/breaker.ts';
import { connectionReset, retryDelayMs, type SendOutcome } from '../provider/outcome.ts';
import type { Action } from '../provider/outcome-table.ts';
import { applyErrors, type TextError } from '../provider-errors/apply-errors.ts';
import { noteReached } from '../reachability/reachability.repository.ts';
import { deadlineOf } from './decide-send.ts';
import type { DueText } from './due-texts.repository.ts';
import { holdFailed } from './failed-attempts.repository.ts';
import {
  type AttemptResult,
  type EndedText,
  storeResults,
  takeAbandoned,
  takeLost,
  takeMissed,
} from './results.repository.ts';
import { publishSettled } from './settled.ts';
import { countMove, observeLateness } from './text-metrics.ts';
import { outcomeOfState } from './text-states.ts';

/** The result of a provider call. */
export interface FinishedCall {
  text: DueText['text'];
  /** The mark's token. */
  token: string;
  from: string;
  to: string;
  is_test: boolean;
  outcome: SendOutcome;
  isProbe: boolean;
  /** The text may have been sent before, so only `accepted` is certain. */
  isRepeat: boolean;
  /** When the text was marked; the provider decided later than this. */
  startedAt: Date;
  now: Date;
}

/** Receipts usually arrive within seconds; after this long the provider is asked. */
export const receiptOverdueMs = 15 * minuteMs;
/** A lost response is looked up sooner. */
const unknownCheckMs = 60_000;
const connectionResetCheckMs = 5_000;
/** The carrier's limit is per minute. */
const slowSenderMs = 60_000;

/**
 * Records the outcomes of provider calls in one transaction and publishes them. Where a receipt was faster, nothing is
 * left to add. Returns for each whether sending pauses because of it.
 */
export async function recordOutcomes(
  { db, numberHash }: { db: Kysely<SmsDatabase>; numberHash(number: string): string },
  calls: FinishedCall[],
): Promise<boolean[]> {
  const results = calls.map(resultOf);
  const now = calls.at(-1)!.now;
  const { moved, pauses } = await db.transaction().execute(async (trx) => {
    const moved = await storeResults(trx, results);
    const settled = calls.flatMap(({ text, is_test }, index) => {
      const { state, reason } = results[index]!;
      const outcome = outcomeOfState(state);
      if (outcome === null || !moved.has(text.id)) return [];
      return [{ text: { ...text, is_test }, outcome, reason }];
    });
    await publishSettled(trx, settled, now);
    for (const call of calls.filter(({ outcome }) => outcome.kind === 'opted_out'))
      await recordOptOut(trx, {
        numberHash: numberHash(call.to),
        // A START after this may already have lifted the block that the provider reports.
        at: call.startedAt,
        source: 'provider',
        isBlocked: true,
        now: call.now,
      });
    for (const { text, outcome, isRepeat } of calls)
      if (outcome.kind === 'our_bug' && !isRepeat && moved.has(text.id))
        await holdFailed(trx, text, outcome.reason, now);
    await applyErrors(trx, calls.filter(({ isRepeat }) => !isRepeat).flatMap(errorOf), now);
    return { moved, pauses: await noteCalls(trx, calls) };
  });
  const reached = calls.flatMap(({ text: { user_id, notes_reached }, to, is_test, outcome }) =>
    user_id !== null && notes_reached && !is_test && outcome.kind === 'accepted'
      ? [{ user_id, phone: to }]
      : [],
  );
  // Not in the transaction: it has locked texts, and others lock recipients first. Without it the texts are searched.
  await noteReached(db, reached, now).catch(() => undefined);
  for (const [
    index,
    {
      text: { due_at, kind, id },
      is_test,
      now,
    },
  ] of calls.entries()) {
    const { state } = results[index]!;
    if (!moved.has(id) || state === 'queued') continue;
    const text = { kind, due_at, is_test };
    countMove({ text, from: 'inflight', to: state });
    if (state === 'accepted') observeLateness(text, now);
  }
  return pauses;
}

function errorOf({ text, from, to, is_test, outcome, startedAt }: FinishedCall): TextError[] {
  if (outcome.kind === 'accepted' || outcome.error === undefined) return [];
  const { batch_id, local_date, user_id } = text;
  const recipient = is_test || user_id === null ? null : { user_id, phone: to };
  return [{ ...outcome.error, batch_id, local_date, sender: from, sentAt: startedAt, recipient }];
}

/** Returns when a text that was refused, but not for good, is sent again. */
export function retryAt(
  action: Action | undefined,
  { attempts, retryAfterMs, now }: { attempts: number; retryAfterMs: number | null; now: Date },
): Date {
  if (action === 'next_carrier_day') return nextCarrierDay(now);
  const afterMs = retryAfterMs ?? (action === 'slow_sender' ? slowSenderMs : null);
  return new Date(now.getTime() + retryDelayMs(attempts, afterMs, Math.random()));
}

function resultOf({ text, token, outcome, isRepeat, now }: FinishedCall): AttemptResult {
  const later = (ms: number) => new Date(now.getTime() + ms);
  const base = {
    id: text.id,
    token,
    now,
    error_code: null,
    provider_id: null,
    check_at: null,
    next_attempt_at: null,
  };
  if (isRepeat && outcome.kind !== 'accepted')
    return {
      ...base,
      state: 'unknown',
      reason: 'reason' in outcome ? outcome.reason : outcome.kind,
      check_at: later(unknownCheckMs * 2 ** Math.min(text.attempts, 6)),
    };
  switch (outcome.kind) {
    case 'accepted': {
      const { provider_id } = outcome;
      const check_at = later(receiptOverdueMs);
      return { ...base, state: 'accepted', reason: null, provider_id, check_at };
    }
    // Provably not sent, so the text may be retried while its windows are open.
    case 'unsent':
    case 'account': {
      const retryAfterMs = outcome.kind === 'unsent' ? outcome.retry_after_ms : null;
      const attempts = text.attempts + 1;
      const next_attempt_at = retryAt(outcome.error?.action, { attempts, retryAfterMs, now });
      return { ...base, state: 'queued', reason: outcome.reason, next_attempt_at };
    }
    case 'our_bug': {
      const next_attempt_at = deadlineOf(text.windows);
      return { ...base, state: 'queued', reason: outcome.reason, next_attempt_at };
    }
    case 'refused':
      return { ...base, state: 'refused', reason: outcome.reason, error_code: outcome.code };
    case 'opted_out':
      return { ...base, state: 'skipped', reason: 'opted_out' };
    case 'unknown': {
      const { reason } = outcome;
      const checkMs = reason === connectionReset ? connectionResetCheckMs : unknownCheckMs;
      return { ...base, state: 'unknown', reason, check_at: later(checkMs) };
    }
  }
}

/** Marks inflight texts as unknown once their worker's lease has expired, because they may have been sent. */
export async function markInflightUnknown(
  db: Kysely<SmsDatabase>,
  clock: { now: Date; wall: Date },
  months?: RawBuilder<boolean>,
): Promise<number> {
  const lost = await db.transaction().execute(async (trx) => {
    const checkAt = new Date(clock.now.getTime() + unknownCheckMs);
    const lost = await takeLost(trx, { ...clock, checkAt, limit: 200 }, months);
    const settled = lost.map(
      (text) => ({ text, outcome: 'unknown', reason: 'worker_lost' }) as const,
    );
    await publishSettled(trx, settled, clock.now);
    return lost;
  });
  for (const text of lost) countMove({ text, from: 'inflight', to: 'unknown' });
  return lost.length;
}

/** Ends queued texts whose last window has closed. */
export function endMissed(
  db: Kysely<SmsDatabase>,
  now: Date,
  months?: RawBuilder<boolean>,
): Promise<number> {
  return settleQueued(db, now, (trx) => takeMissed(trx, now, 200, months));
}

/** Ends queued texts that were abandoned when a freeze was lifted. */
export function endAbandoned(db: Kysely<SmsDatabase>, now: Date): Promise<number> {
  return settleQueued(db, now, (trx) => takeAbandoned(trx, now, 200));
}

async function settleQueued(
  db: Kysely<SmsDatabase>,
  now: Date,
  take: (trx: Transaction<SmsDatabase>) => Promise<EndedText[]>,
): Promise<number> {
  const ended = await db.transaction().execute(async (trx) => {
    const ended = await take(trx);
    const settled = ended.flatMap((text) => {
      const outcome = outcomeOfState(text.state);
      return outcome === null ? [] : [{ text, outcome, reason: text.reason }];
    });
    await publishSettled(trx, settled, now);
    return ended;
  });
  for (const text of ended) countMove({ text, from: 'queued', to: text.state });
  return ended.length;
}
