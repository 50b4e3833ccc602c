import { dayMs } from '@daylift/clock/durations';
import type {
  PlannedText,
  Schedule,
  SchedulePart,
  TimelinePartQuery,
} from '@daylift/contracts/timeline-parts.http';
import { spansBackward } from '@daylift/database/date-spans';
import type { Kysely } from 'kysely';
import type { SchedulerDatabase } from '../database.ts';
import type { SchedulerDeps } from '../deps.ts';
import type { DispatchState } from '../dispatches/dispatches.table.ts';
import { judgeNextText } from '../next-text/describe-next-text.ts';
import { findNext } from '../next-text/read-next-text.ts';
import { findSubscriber } from '../subscribers/subscribers.repository.ts';
import {
  findFirstPlannedDate,
  findPlanned,
  findPlannedOn,
  type PlannedRow,
} from './timeline.repository.ts';

const decisionStates: DispatchState[] = ['skipped', 'missed', 'superseded'];
const textStates: DispatchState[] = ['planned', 'released', 'accepted', 'refused', 'unknown'];

/** This service's part of a page of a subscriber's timeline. */
export async function readTimelinePart(
  db: Kysely<SchedulerDatabase>,
  userId: string,
  query: TimelinePartQuery,
  now: Date,
): Promise<SchedulePart> {
  const kinds = query.kinds.split(',');
  const states = [
    ...(kinds.includes('texts') ? textStates : []),
    ...(kinds.includes('decisions') ? decisionStates : []),
  ];
  if (states.length === 0) return { planned: [] };
  // Texts are planned at most this far ahead.
  const until =
    query.until === undefined ? new Date(now.getTime() + 3 * dayMs) : new Date(query.until);
  return { planned: await newestPlanned(db, userId, { states, until, limit: query.limit }) };
}

/**
 * Reads months until the page is full. A text is due within a day of its date, so everything in an earlier month is
 * older, except for the first two days of this one.
 */
async function newestPlanned(
  db: Kysely<SchedulerDatabase>,
  userId: string,
  range: { states: DispatchState[]; until: Date; limit: number },
): Promise<PlannedText[]> {
  const { states, until: notAfter, limit } = range;
  const found: PlannedRow[] = [];
  const latest = Temporal.PlainDate.from(notAfter.toISOString().slice(0, 10)).add({ days: 1 });
  for await (const span of spansBackward(latest.toString(), () =>
    findFirstPlannedDate(db, userId),
  )) {
    found.push(...(await findPlanned(db, userId, { ...span, states, notAfter, limit })));
    const completeFrom = new Date(Date.parse(span.from) + dayMs);
    if (found.filter((one) => one.due_at >= completeFrom).length >= limit) break;
  }
  return found
    .sort((one, other) => other.due_at.getTime() - one.due_at.getTime())
    .slice(0, limit)
    .map(factsOf);
}

export async function readDayPart(
  db: Kysely<SchedulerDatabase>,
  userId: string,
  localDate: string,
): Promise<SchedulePart> {
  return { planned: (await findPlannedOn(db, userId, localDate)).map(factsOf) };
}

export async function readSchedule(
  deps: Pick<SchedulerDeps, 'db' | 'clock' | 'spreadMs'>,
  userId: string,
): Promise<Schedule> {
  const subscriber = await findSubscriber(deps.db, userId);
  const planned = subscriber === undefined ? null : await findNext(deps, subscriber);
  const { next, why_none } = judgeNextText(subscriber, planned, deps.clock.now(), deps.spreadMs);
  return {
    next_text_at: next?.due_at.toISOString() ?? null,
    local_date: next?.local_date ?? null,
    timezone: subscriber?.timezone ?? null,
    why_none,
    first_local_date: subscriber?.first_local_date ?? null,
  };
}

function factsOf(row: PlannedRow): PlannedText {
  const { batch_name, batch_kind } = row;
  return {
    id: row.id,
    local_date: row.local_date,
    kind: row.kind === 'daily' ? 'daily' : 'announcement',
    state: row.state,
    reason: row.reason,
    due_at: row.due_at.toISOString(),
    timezone: row.timezone,
    delivery_hour: row.delivery_hour,
    frequency: row.frequency,
    is_staff_send: row.staff_send_id !== null,
    is_test: row.is_test,
    message_title: row.message_title,
    from_library: row.template_id !== null && row.sequence_day === null,
    sequence_day: row.sequence_day,
    batch:
      batch_name === null || batch_kind === null ? null : { name: batch_name, kind: batch_kind },
    released_at: row.released_at?.toISOString() ?? null,
    settled_at: row.settled_at?.toISOString() ?? null,
  };
}
