import type { ReleasedDispatch, schedulerEvents } from '@daylift/contracts/scheduler.events';
import { PoisonEvent } from '@daylift/events/consume';
import { currentTraceparent } from '@daylift/telemetry/tracing';
import type { Transaction } from 'kysely';
import type { Static } from 'typebox';
import { insertBatch } from '../batches/batches.repository.ts';
import type { SmsDatabase } from '../database.ts';
import { deadlineOf } from '../texts/decide-send.ts';
import { publishSettled } from '../texts/settled.ts';
import { localDateOf } from '../texts/text-ids.ts';
import { outcomeOfState } from '../texts/text-states.ts';
import { findSettled, insertTexts, type TextKey } from '../texts/texts.repository.ts';

type Released = Static<(typeof schedulerEvents)['scheduler.dispatches.released']>;

/**
 * Takes over due dispatches. A dispatch has one row forever, so a repeated hand-over changes nothing. The scheduler
 * retries an unused day under a new id.
 */
export async function takeOver(
  trx: Transaction<SmsDatabase>,
  { batch, dispatches }: Released,
  now: Date,
): Promise<void> {
  for (const { dispatch_id, local_date } of dispatches) {
    if (localDateOf(dispatch_id) !== local_date)
      throw new PoisonEvent('a dispatch whose id names another date');
  }
  await insertBatch(trx, { ...batch, created_at: new Date(batch.created_at) });
  const texts = dispatches.map((dispatch) => rowOf(dispatch, batch.id, now));
  const fresh = await insertTexts(trx, texts);
  const known = texts.filter(({ id }) => !fresh.has(id));
  if (known.length > 0) await republishOutcome(trx, known, now);
}

/** A repeated hand-over of a settled text means that the scheduler missed the outcome. */
async function republishOutcome(
  trx: Transaction<SmsDatabase>,
  known: TextKey[],
  now: Date,
): Promise<void> {
  const settled = (await findSettled(trx, known)).flatMap((text) => {
    const outcome = outcomeOfState(text.state);
    if (outcome === null) return [];
    return [{ text, outcome, reason: outcome === 'accepted' ? null : text.reason }];
  });
  await publishSettled(trx, settled, now);
}

function rowOf(dispatch: ReleasedDispatch, batchId: string, now: Date) {
  const firstOpens = new Date(dispatch.windows[0]!.opens_at);
  const due = new Date(dispatch.due_at);
  return {
    id: dispatch.dispatch_id,
    local_date: dispatch.local_date,
    kind: dispatch.kind,
    user_id: dispatch.user_id,
    batch_id: batchId,
    scheduled_message_id: dispatch.scheduled_message_id,
    content: dispatch.content,
    windows: JSON.stringify(dispatch.windows),
    deadline_at: deadlineOf(dispatch.windows),
    slot: dispatch.slot === null ? null : JSON.stringify(dispatch.slot),
    next_attempt_at: due > firstOpens ? due : firstOpens,
    created_at: now,
    due_at: due,
    traceparent: currentTraceparent(),
  };
}
