import { hourMs, minuteMs } from '@daylift/clock/durations';
import {
  type ReleasedDispatch,
  type SendWindow,
  schedulerEvents,
} from '@daylift/contracts/scheduler.events';
import { publish } from '@daylift/events/publish';
import { inSpan } from '@daylift/telemetry/tracing';
import type { Transaction } from 'kysely';
import { findMessages } from '../contents/contents.repository.ts';
import type { ScheduledMessage } from '../contents/contents.table.ts';
import type { SchedulerDatabase } from '../database.ts';
import type { SchedulerDeps } from '../deps.ts';
import { findSubscribers } from '../subscribers/subscribers.repository.ts';
import {
  announcementBatch,
  type BatchCreation,
  dailyBatch,
  manualSendBatch,
} from './batch-names.ts';
import { countedUpTo, ensureBatch } from './batches.repository.ts';
import { type Content, chooseContents } from './content-choice.ts';
import { decideRelease } from './decide-release.ts';
import {
  claimDueDispatches,
  countDue,
  type Ended,
  endDispatches,
  hasDueDispatches,
  markReleased,
  postponeDispatches,
} from './dispatches.repository.ts';
import type { Batch, Dispatch, NewBatch } from './dispatches.table.ts';
import { countRelease } from './due-metrics.ts';

type Trx = Transaction<SchedulerDatabase>;
/** After this long without an outcome, in product time, a release is published again. */
export const outcomeTimeoutMs = 10 * minuteMs;
/** Events of one release; each transaction costs about as much as ten texts. */
const eventsPerRelease = 10;

/** A dispatch to release, with the data that sms-gateway gets. */
export interface Outgoing {
  dispatch: Dispatch;
  content: Content;
  windows: SendWindow[];
}

export interface Released {
  claimed: number;
  released: number;
}

/**
 * Claims due dispatches and, in the same transaction, records why each may not go, or chooses its content and hands it
 * over. With `run`, everything except manual sends goes into that run's batch.
 */
export async function releaseDue(
  deps: Pick<SchedulerDeps, 'db' | 'clock' | 'batchSize' | 'operatorTimezone'>,
  run?: NewBatch,
): Promise<Released> {
  const { db, clock, batchSize, operatorTimezone } = deps;
  const now = clock.now();
  if (!(await hasDueDispatches(db, now))) return { claimed: 0, released: 0 };
  const release = await db.transaction().execute(async (trx) => {
    const due = await claimDueDispatches(trx, now, eventsPerRelease * batchSize);
    if (due.length === 0) return { claimed: 0, outgoing: [], ended: [] };
    const { outgoing, ended } = await sortOut(trx, due, now);
    for (const [batch, group] of await groupByBatch(trx, outgoing, { now, operatorTimezone }, run))
      await handOver(trx, batch, group, { now, batchSize });
    return { claimed: due.length, outgoing: outgoing.map(({ dispatch }) => dispatch), ended };
  });
  countRelease(release);
  return { claimed: release.claimed, released: release.outgoing.length };
}

/** Ends dispatches that may not go or are late, postpones those that wait for the morning, and returns the rest. */
async function sortOut(
  trx: Trx,
  due: Dispatch[],
  now: Date,
): Promise<{ outgoing: Outgoing[]; ended: Ended[] }> {
  const subscribers = new Map(
    (await findSubscribers(trx, [...new Set(due.map((one) => one.user_id))])).map((one) => [
      one.user_id,
      one,
    ]),
  );
  const times = announcementTimes(await messagesOf(trx, due));
  const decided = due.map((dispatch) => ({
    dispatch,
    decision: decideRelease(
      dispatch,
      subscribers.get(dispatch.user_id),
      times.get(dispatch.scheduled_message_id ?? '') ?? null,
      now,
    ),
  }));
  const going = decided.flatMap(({ dispatch, decision }) =>
    decision.do === 'release' ? [{ dispatch, windows: decision.windows }] : [],
  );
  const contents = await chooseContents(
    trx,
    going.map((one) => one.dispatch),
  );
  const ended = decided.flatMap(({ dispatch, decision }): Ended[] => {
    if (decision.do === 'end') return [{ dispatch, ...decision }];
    return decision.do === 'release' && !contents.has(dispatch)
      ? [{ dispatch, state: 'missed', reason: 'no content' }]
      : [];
  });
  await endDispatches(trx, ended, now);
  await postponeDispatches(
    trx,
    decided.flatMap(({ dispatch, decision }) =>
      decision.do === 'wait' ? [{ dispatch, until: decision.until }] : [],
    ),
  );
  const outgoing = going.flatMap(({ dispatch, windows }) => {
    const content = contents.get(dispatch);
    return content === undefined ? [] : [{ dispatch, windows, content }];
  });
  return { outgoing, ended };
}

const messagesOf = (trx: Trx, dispatches: Dispatch[]): Promise<ScheduledMessage[]> =>
  findMessages(trx, [...new Set(dispatches.flatMap((one) => one.scheduled_message_id ?? []))]);

const announcementTimes = (messages: ScheduledMessage[]): Map<string, string> =>
  new Map(messages.map((one) => [one.id, one.scheduled_time]));

async function groupByBatch(
  trx: Trx,
  outgoing: Outgoing[],
  created: BatchCreation,
  run?: NewBatch,
): Promise<Map<Batch, Outgoing[]>> {
  const messages = await messagesOf(
    trx,
    outgoing.map((one) => one.dispatch),
  );
  const byKey = new Map<string, { wanted: NewBatch; group: Outgoing[] }>();
  for (const one of outgoing) {
    const message = messages.find((each) => each.id === one.dispatch.scheduled_message_id);
    const wanted =
      run !== undefined && one.dispatch.staff_send_id === null
        ? run
        : batchOf(one.dispatch, message, created);
    const entry = byKey.get(wanted.key) ?? { wanted, group: [] };
    entry.group.push(one);
    byKey.set(wanted.key, entry);
  }
  const groups = new Map<Batch, Outgoing[]>();
  // Ordered by key, so two releases wait for each other's new batch instead of deadlocking.
  for (const [, { wanted, group }] of [...byKey].sort(([one], [other]) => (one < other ? -1 : 1)))
    groups.set(await ensureBatch(trx, wanted, () => countHour(trx, created.now)), group);
  return groups;
}

/** Counts texts due until the end of the hour, which batches are for. */
function countHour(trx: Trx, now: Date): Promise<number> {
  const end = new Date((Math.floor(now.getTime() / hourMs) + 1) * hourMs - 1);
  return countDue(trx, end, countedUpTo);
}

function batchOf(
  dispatch: Dispatch,
  message: ScheduledMessage | undefined,
  created: BatchCreation,
): NewBatch {
  if (message === undefined) return dailyBatch(dispatch.due_at, created);
  return dispatch.staff_send_id === null
    ? announcementBatch(message, dispatch.due_at, created)
    : manualSendBatch(crypto.randomUUID(), message, created);
}

/** Marks dispatches as released and publishes them in the caller's transaction. Each event starts a trace. */
export async function handOver(
  trx: Trx,
  batch: Batch,
  outgoing: Outgoing[],
  { now, batchSize }: { now: Date; batchSize: number },
): Promise<void> {
  if (outgoing.length === 0) return;
  const releases = outgoing.map(({ dispatch, windows, content }) => ({
    dispatch,
    windows,
    batch_id: batch.id,
    scheduled_message_id: content.scheduled_message_id,
    template_id: content.template_id,
  }));
  await markReleased(trx, releases, now, new Date(now.getTime() + outcomeTimeoutMs));
  for (let first = 0; first < outgoing.length; first += batchSize) {
    const part = outgoing.slice(first, first + batchSize);
    const attributes = { 'daylift.batch': batch.id, 'daylift.texts': part.length };
    await inSpan('release texts', { attributes, begins: true }, () =>
      publishRelease(trx, batch, part, now),
    );
  }
}

export async function publishRelease(
  trx: Trx,
  batch: Batch,
  outgoing: Outgoing[],
  now: Date,
): Promise<void> {
  const { id, kind, name, created_at, expected } = batch;
  await publish(
    trx,
    schedulerEvents,
    'scheduler.dispatches.released',
    {
      batch: { id, kind, name, created_at: created_at.toISOString() },
      ...(expected !== null && { expected }),
      dispatches: outgoing.map(releasedDispatch),
    },
    now,
  );
}

function releasedDispatch({ dispatch, windows, content }: Outgoing): ReleasedDispatch {
  const { timezone, delivery_hour, frequency, weekday } = dispatch;
  return {
    dispatch_id: dispatch.id,
    user_id: dispatch.user_id,
    local_date: dispatch.local_date,
    kind: dispatch.kind === 'daily' ? 'daily' : 'announcement',
    content: content.content,
    scheduled_message_id: content.scheduled_message_id,
    due_at: dispatch.due_at.toISOString(),
    windows,
    slot:
      delivery_hour === null || frequency === null
        ? null
        : { timezone, delivery_hour, frequency, weekday },
  };
}
