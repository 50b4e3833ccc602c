import { inSpan, SpanKind } from '@daylift/telemetry/tracing';
import type { Kysely, Transaction } from 'kysely';
import type { SmsDatabase } from '../database.ts';
import { isUniqueViolation } from '../texts/due-texts.repository.ts';
import { receiptOverdueMs } from '../texts/results.ts';
import { publishSettled } from '../texts/settled.ts';
import { addCost, countMove, type Move } from '../texts/text-metrics.ts';
import { advance, isProven } from '../texts/text-states.ts';
import type { Text } from '../texts/texts.repository.ts';
import { type Evidence, evidenceOfEvent, type ProviderEvent } from './receipt.ts';
import { insertReceipt, lockTextOf, storeEvidence } from './receipts.repository.ts';

/**
 * Stores a receipt and advances its text in one transaction, so a 2xx confirms both. Idempotent, and receipts lead to
 * the same state in any order.
 */
export async function receiveReceipt(
  db: Kysely<SmsDatabase>,
  receipt: { event: ProviderEvent; hint: string; now: Date },
): Promise<void> {
  const store = (apply: boolean) =>
    db.transaction().execute((trx) => storeAndApply(trx, receipt, apply));
  const progress = await store(true).catch((error: unknown) => {
    // Proof that a second text was sent for one day: kept as evidence, while the first text keeps the day.
    if (!isUniqueViolation(error)) throw error;
    return store(false);
  });
  if (progress !== null) countProgress(progress);
}

/** The effect of a piece of evidence. */
export interface Progress extends Move {
  dollars: number;
}

/** Call after the commit. */
export function countProgress(progress: Progress): void {
  countMove(progress);
  addCost(progress.dollars);
}

async function storeAndApply(
  trx: Transaction<SmsDatabase>,
  { event, hint, now }: { event: ProviderEvent; hint: string; now: Date },
  apply: boolean,
): Promise<Progress | null> {
  const evidence = evidenceOfEvent(event);
  if (evidence === null) return null;
  const to = event.payload.to?.[0]?.phone_number ?? null;
  // Locks the text first, so two receipts of one text always lock in the same order.
  const text = await lockTextOf(trx, { hint, providerId: evidence.provider_id, to });
  // Arrives in the provider's request and continues the text's own trace.
  const step = {
    kind: SpanKind.CONSUMER,
    attributes: { 'daylift.receipt': evidence.status },
    parent: text?.traceparent,
  };
  return inSpan('receive receipt', step, async () => {
    const isFresh = await insertReceipt(trx, { event, evidence, textId: text?.id ?? null, now });
    return isFresh && text !== null && apply ? applyEvidence(trx, text, evidence, now) : null;
  });
}

/** Moves a text forward only. The first proof that the provider has the text is published to the scheduler. */
export async function applyEvidence(
  trx: Transaction<SmsDatabase>,
  text: Text,
  evidence: Evidence,
  now: Date,
  /** When to ask the provider if there is no final state by then. */
  checkAt: Date | null = new Date(now.getTime() + receiptOverdueMs),
): Promise<Progress> {
  const state = advance(text.state, evidence.state);
  const isFinal = evidence.is_final || text.finalized_at !== null;
  await storeEvidence(trx, text, {
    state,
    provider_id: evidence.provider_id,
    reason: reasonOf(text, evidence, state),
    error_code: state === 'failed' ? (evidence.error_code ?? text.error_code) : null,
    settled_at: text.settled_at ?? now,
    finalized_at: text.finalized_at ?? (evidence.is_final ? now : null),
    parts: evidence.parts ?? text.parts,
    cost: evidence.cost,
    currency: evidence.currency ?? text.currency,
    check_at: isFinal ? null : checkAt,
  });
  if (!isProven(text.state))
    await publishSettled(trx, [{ text, outcome: 'accepted', reason: null }], now);
  const dollars = Math.max(0, Number(evidence.cost ?? 0) - Number(text.cost ?? 0));
  return { text, from: text.state, to: state, dollars };
}

function reasonOf(text: Text, evidence: Evidence, state: string): string | null {
  if (state === 'failed') return `carrier_${evidence.error_code ?? text.error_code ?? 'failed'}`;
  if (evidence.status === 'delivery_unconfirmed') return 'delivery_unconfirmed';
  return isProven(text.state) ? text.reason : null;
}
