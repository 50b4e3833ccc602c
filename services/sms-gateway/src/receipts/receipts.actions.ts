import { AsyncLocalStorage } from 'node:async_hooks';
import { createSetWriter } from '@daylift/server/set-writer';
import { inTrace, SpanKind, startSpan } from '@daylift/telemetry/tracing';
import type { Kysely, Transaction } from 'kysely';
import type { SmsDatabase } from '../database.ts';
import { classifyFinalError } from '../provider/outcome-table.ts';
import { applyErrors, type TextError } from '../provider-errors/apply-errors.ts';
import { clearFailures, type Delivery } from '../reachability/reachability.repository.ts';
import { isUniqueViolation } from '../texts/due-texts.repository.ts';
import { receiptOverdueMs, retryAt } from '../texts/results.ts';
import { publishSettled } from '../texts/settled.ts';
import { addCost, countMove, type Move, observeLateness } from '../texts/text-metrics.ts';
import { advance, isProven, type TextState } from '../texts/text-states.ts';
import { type Evidence, evidenceOfEvent, type ProviderEvent } from './receipt.ts';
import {
  hasLeftProvider,
  insertReceipts,
  lockTextsOf,
  type ProvenText,
  queueAgain,
  type Returned,
  storeEvidence,
} from './receipts.repository.ts';

interface Received {
  event: ProviderEvent;
  evidence: Evidence;
  hint: string;
  now: Date;
  /** Runs a function in the context of the receipt's request. */
  inRequest: ReturnType<typeof AsyncLocalStorage.snapshot>;
}

const maxReceipts = 200;

/**
 * Returns a function that stores a receipt, advances its text and resolves after the commit, so a 2xx confirms both.
 * Receipts that arrive together share a transaction. Idempotent, and receipts lead to the same state in any order.
 */
export function createReceiveReceipt(db: Kysely<SmsDatabase>) {
  const { add } = createSetWriter<Received, undefined>({
    maxItems: maxReceipts,
    // The gateway already collects receipts.
    collectMs: 0,
    async write(receipts) {
      const store = (apply: boolean) =>
        db.transaction().execute((trx) => storeReceipts(trx, receipts, apply));
      const progress = await store(true).catch((error: unknown) => {
        // Proof that a second text was sent for one day: kept as evidence, while the first text keeps the day.
        if (receipts.length > 1 || !isUniqueViolation(error)) throw error;
        return store(false);
      });
      for (const one of progress) countProgress(one);
      return receipts.map(() => undefined);
    },
  });
  return async (receipt: { event: ProviderEvent; hint: string; now: Date }): Promise<void> => {
    const evidence = evidenceOfEvent(receipt.event);
    if (evidence === null) return;
    await add({ ...receipt, evidence, inRequest: AsyncLocalStorage.snapshot() });
  };
}

/** The effect of a piece of evidence. */
export interface Progress extends Move {
  text: ProvenText;
  dollars: number;
}

/** Call after the commit. */
export function countProgress(progress: Progress): void {
  const { text, from, to, dollars } = progress;
  countMove(progress);
  addCost(dollars);
  // The receipt was faster than the response.
  if (isProven(to) && !isProven(from) && text.handed_at !== null)
    observeLateness(text, text.handed_at);
}

async function storeReceipts(
  trx: Transaction<SmsDatabase>,
  receipts: Received[],
  apply: boolean,
): Promise<Progress[]> {
  // Locks texts before receipts, so two receipts of one text always lock in the same order.
  const texts = await lockTextsOf(
    trx,
    receipts.map(({ hint, evidence, event }) => ({
      hint,
      provider_id: evidence.provider_id,
      to: event.payload.to?.[0]?.phone_number ?? null,
    })),
  );
  const known = receipts.map((one, index) => ({ ...one, text: texts[index] ?? null }));
  const fresh = await insertReceipts(trx, known);
  const proofs = known.flatMap(({ event, text, evidence, now }) =>
    apply && text !== null && fresh.has(event.id) ? [{ text, evidence, now }] : [],
  );
  const progress = await applyEvidence(trx, proofs);
  for (const { text, evidence, inRequest } of known) {
    // Arrives in the provider's request and continues the text's own trace.
    const attributes = { 'daylift.receipt': evidence.status };
    const step = { kind: SpanKind.CONSUMER, attributes, parent: text?.traceparent };
    inRequest(() => startSpan('receive receipt', step)?.end());
  }
  return progress;
}

/** What is proven about a text that is locked. */
export interface Proof {
  text: ProvenText;
  evidence: Evidence;
  now: Date;
  /** When to ask the provider if there is no final state by then. */
  checkAt?: Date | null;
}

/** Moves texts forward only. The first proof that the provider has a text is published to the scheduler. */
export async function applyEvidence(
  trx: Transaction<SmsDatabase>,
  proofs: Proof[],
): Promise<Progress[]> {
  const now = proofs[0]?.now;
  if (now === undefined) return [];
  const latest = new Map<string, ProvenText>();
  const progress: Progress[] = [];
  const proven: ProvenText[] = [];
  const returns: Returned[] = [];
  const errors: TextError[] = [];
  const arrived: Delivery[] = [];
  for (const proof of proofs) {
    const before = latest.get(proof.text.id) ?? proof.text;
    if (isStaleReceipt(before, proof.evidence) || isRoutineSentReceipt(before, proof)) continue;
    const error = finalErrorOf(before, proof.evidence);
    if (error !== null) errors.push(error);
    const back = error === null ? null : await returnedBy(trx, error, before, proof);
    if (back !== null) returns.push(back);
    const after = back?.text ?? advanced(before, proof);
    latest.set(before.id, after);
    if (hasArrived(after, proof.evidence)) arrived.push(...deliveryOf(after));
    if (isProven(after.state) && !isProven(before.state)) proven.push(after);
    const dollars = Math.max(0, Number(after.cost ?? 0) - Number(before.cost ?? 0));
    progress.push({ text: before, from: before.state, to: after.state, dollars });
  }
  await storeEvidence(trx, [...latest.values()]);
  await queueAgain(trx, returns);
  const accepted = proven.map((text) => ({ text, outcome: 'accepted', reason: null }) as const);
  await inTrace(proven[0]?.traceparent, () => publishSettled(trx, accepted, now));
  await applyErrors(trx, errors, now);
  await clearFailures(trx, arrived);
  return progress;
}

/** Returns whether a text was delivered, or sent without an error for the rest of its life. */
const hasArrived = ({ state }: ProvenText, evidence: Evidence): boolean =>
  state === evidence.state && (state === 'delivered' || (state === 'sent' && evidence.is_final));

function deliveryOf(text: ProvenText): Delivery[] {
  const recipient = recipientOf(text);
  return recipient === null ? [] : [{ ...recipient, sentAt: sentAtOf(text) }];
}

/** Returns whether a receipt belongs to a returned send and should be ignored. */
const isStaleReceipt = ({ returned_ids, state }: ProvenText, evidence: Evidence): boolean =>
  (returned_ids?.includes(evidence.provider_id) ?? false) &&
  !(statesWithoutSend.has(state) && evidence.state === 'delivered');
const statesWithoutSend = new Set<TextState>(['queued', 'missed', 'skipped', 'superseded']);

/**
 * Returns whether a receipt is the usual first one, which is stored without updating the text. The update would be a
 * quarter of all writes to `texts`. A lookup stores no receipt, so what it finds is written to the text.
 */
const isRoutineSentReceipt = (
  { state, provider_id }: ProvenText,
  { evidence, checkAt }: Proof,
): boolean =>
  checkAt === undefined &&
  state === 'accepted' &&
  evidence.state === 'sent' &&
  !evidence.is_final &&
  provider_id === evidence.provider_id;

/** Returns the error of a text if its first final receipt says it failed. */
function finalErrorOf(text: ProvenText, evidence: Evidence): TextError | null {
  const { state, is_final, error_code } = evidence;
  if (!is_final || text.finalized_at !== null || state !== 'failed' || error_code === null)
    return null;
  if (advance(text.state, state) !== state) return null;
  const { batch_id, local_date, sender } = text;
  const sentAt = sentAtOf(text);
  return {
    ...classifyFinalError(error_code),
    ...{ batch_id, local_date, sender, sentAt, recipient: recipientOf(text) },
  };
}

const sentAtOf = ({ handed_at, created_at }: ProvenText): Date => handed_at ?? created_at;

const recipientOf = ({ is_test, user_id, to_number }: ProvenText): TextError['recipient'] =>
  is_test || user_id === null || to_number === null ? null : { user_id, phone: to_number };

const maxReturns = 3;
/** States of a text with a send that may be returned. */
const isReturnable = new Set<TextState>(['inflight', 'unknown', 'accepted', 'sent']);

/**
 * Returns a text to the queue that provably reached no phone, if its window is open: a carrier refused it, or it never
 * left the provider's queue.
 */
async function returnedBy(
  trx: Transaction<SmsDatabase>,
  { action }: TextError,
  text: ProvenText,
  { evidence, now }: Proof,
): Promise<Returned | null> {
  const byProvider = action === 'retry' || action === 'retry_all_later';
  const byCarrier = action === 'slow_sender' || action === 'next_carrier_day';
  if ((!byCarrier && !byProvider) || !isReturnable.has(text.state)) return null;
  if (
    byProvider &&
    (text.state === 'sent' || (await hasLeftProvider(trx, evidence.provider_id, text.id)))
  )
    return null;
  const returned_ids = [...(text.returned_ids ?? []), evidence.provider_id];
  if (now >= text.deadline_at || returned_ids.length > maxReturns) return null;
  const next_attempt_at = retryAt(action, { attempts: text.attempts, retryAfterMs: null, now });
  return {
    next_attempt_at,
    due_since: now,
    text: {
      ...text,
      state: 'queued',
      reason: `carrier_${evidence.error_code}`,
      provider_id: null,
      returned_ids,
      settled_at: null,
      check_at: null,
    },
  };
}

function advanced(text: ProvenText, { evidence, now, checkAt }: Proof): ProvenText {
  const state = advance(text.state, evidence.state);
  const isFinal = evidence.is_final || text.finalized_at !== null;
  const overdueAt = checkAt === undefined ? new Date(now.getTime() + receiptOverdueMs) : checkAt;
  // The highest cost counts, so the order of final receipts doesn't matter.
  const isDearer = Number(evidence.cost ?? 0) > Number(text.cost ?? -1);
  return {
    ...text,
    state,
    provider_id: evidence.provider_id,
    reason: reasonOf(text, evidence, state),
    error_code: state === 'failed' ? (evidence.error_code ?? text.error_code) : null,
    settled_at: text.settled_at ?? now,
    finalized_at: text.finalized_at ?? (evidence.is_final ? now : null),
    parts: evidence.parts ?? text.parts,
    cost: evidence.cost !== null && isDearer ? evidence.cost : text.cost,
    currency: evidence.currency ?? text.currency,
    check_at: isFinal ? null : overdueAt,
  };
}

function reasonOf(text: ProvenText, evidence: Evidence, state: string): string | null {
  if (state === 'failed') return `carrier_${evidence.error_code ?? text.error_code ?? 'failed'}`;
  if (evidence.status === 'delivery_unconfirmed') return 'delivery_unconfirmed';
  return isProven(text.state) ? text.reason : null;
}
