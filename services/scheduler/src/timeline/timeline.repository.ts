import type { DateSpan } from '@daylift/database/date-spans';
import type { Kysely } from 'kysely';
import type { SchedulerDatabase } from '../database.ts';
import type { Dispatch, DispatchState } from '../dispatches/dispatches.table.ts';

type Db = Kysely<SchedulerDatabase>;

export type PlannedRow = Dispatch & {
  message_title: string | null;
  sequence_day: number | null;
  batch_name: string | null;
  batch_kind: 'scheduled' | 'manual_run' | 'staff_send' | null;
};

const plannedFor = (db: Db, userId: string) =>
  db
    .selectFrom('dispatches')
    .leftJoin('scheduled_messages', 'scheduled_messages.id', 'dispatches.scheduled_message_id')
    .leftJoin('sequence_texts', 'sequence_texts.id', 'dispatches.template_id')
    .leftJoin('batches', 'batches.id', 'dispatches.batch_id')
    .where('dispatches.user_id', '=', userId)
    .selectAll('dispatches')
    .select(['scheduled_messages.title as message_title', 'sequence_texts.day as sequence_day'])
    .select(['batches.name as batch_name', 'batches.kind as batch_kind']);

/** Returns dispatches of these dates in these states, latest due first. */
export function findPlanned(
  db: Db,
  userId: string,
  range: DateSpan & { states: DispatchState[]; notAfter: Date; limit: number },
): Promise<PlannedRow[]> {
  return plannedFor(db, userId)
    .where('dispatches.local_date', '>=', range.from)
    .where('dispatches.local_date', '<=', range.until)
    .where('dispatches.state', 'in', range.states)
    .where('dispatches.due_at', '<=', range.notAfter)
    .orderBy('dispatches.due_at', 'desc')
    .orderBy('dispatches.id', 'desc')
    .limit(range.limit)
    .execute();
}

export function findPlannedOn(db: Db, userId: string, localDate: string): Promise<PlannedRow[]> {
  return plannedFor(db, userId)
    .where('dispatches.local_date', '=', localDate)
    .orderBy('dispatches.due_at', 'desc')
    .orderBy('dispatches.id', 'desc')
    .execute();
}

/** Returns the first date ever planned. */
export async function findFirstPlannedDate(db: Db, userId: string): Promise<string | null> {
  const row = await db
    .selectFrom('dispatches')
    .select('local_date')
    .where('user_id', '=', userId)
    .orderBy('local_date')
    .limit(1)
    .executeTakeFirst();
  return row?.local_date ?? null;
}
