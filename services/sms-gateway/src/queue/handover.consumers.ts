import type { ReleasedDispatch, schedulerEvents } from '@daylift/contracts/scheduler.events';
import { PoisonEvent, type SetItem } from '@daylift/events/handle-event';
import type { Transaction } from 'kysely';
import type { Static } from 'typebox';
import { findHolds, insertBatches } from '../batches/batches.repository.ts';
import { canariesOf, canaryCount, othersAfterMs } from '../batches/first-texts.ts';
import type { SmsDatabase } from '../database.ts';
import { stopReason } from '../freeze/why-stopped.ts';
import { deadlineOf } from '../texts/decide-send.ts';
import { publishSettled } from '../texts/settled.ts';
import { localDateOf } from '../texts/text-ids.ts';
import { outcomeOfState } from '../texts/text-states.ts';
import { findSettled, insertTexts, type TextKey } from '../texts/texts.repository.ts';

type Released = Static<(typeof schedulerEvents)['scheduler.dispatches.released']>;

/**
 * Takes over due dispatches. A dispatch has one row forever, so a repeated release changes nothing. The scheduler
 * retries an unused day under a new id.
 */
export async function takeOver(
  trx: Transaction<SmsDatabase>,
  releases: SetItem<Released>[],
  { now, canaryAbove }: { now: Date; canaryAbove: number },
): Promise<void> {
  for (const { dispatch_id, local_date } of releases.flatMap(({ data }) => data.dispatches)) {
    if (localDateOf(dispatch_id) !== local_date)
      throw new PoisonEvent('dispatch id and local_date differ');
  }
  const batches = new Map(
    releases.map(({ data: { batch, expected } }) => [batch.id, { ...batch, expected }]),
  );
  const idsOf = (batchId: string) =>
    releases
      .filter(({ data: { batch } }) => batch.id === batchId)
      .flatMap(({ data: { dispatches } }) => dispatches.map(({ dispatch_id }) => dispatch_id));
  await insertBatches(
    trx,
    [...batches.values()].map(({ expected = 0, ...one }) => ({
      ...one,
      created_at: new Date(one.created_at),
      ...canariesOf(idsOf(one.id), canaryCount(expected, canaryAbove), now),
    })),
  );
  const holds = await findHolds(trx, [...batches.keys()]);
  const texts = releases.flatMap(({ data: { batch, dispatches }, traceparent }) =>
    dispatches.map((dispatch) => {
      const row = rowOf(dispatch, batch.id, now);
      const hold = holds.get(batch.id);
      if (hold === undefined || hold.ids.has(row.id)) return { ...row, traceparent };
      const after = new Date(hold.since.getTime() + othersAfterMs);
      const next_attempt_at = row.next_attempt_at > after ? row.next_attempt_at : after;
      return { ...row, next_attempt_at, traceparent };
    }),
  );
  const isStopped = (await stopReason(trx)) !== null;
  const fresh = await insertTexts(trx, texts, { now, isPushed: !isStopped });
  const known = texts.filter(({ id }) => !fresh.has(id));
  if (known.length > 0) await republishOutcome(trx, known, now);
}

/** A repeated release of a settled text means that the scheduler missed the outcome. */
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
    windows: dispatch.windows,
    deadline_at: deadlineOf(dispatch.windows),
    slot: dispatch.slot,
    next_attempt_at: due > firstOpens ? due : firstOpens,
    created_at: now,
    due_at: due,
    due_since: due < firstOpens ? firstOpens : null,
  };
}
