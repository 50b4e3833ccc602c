import type { HeldTexts } from '@daylift/contracts/scheduler.http';
import { type Kysely, sql } from 'kysely';
import type { SchedulerDatabase } from '../database.ts';

type Db = Kysely<SchedulerDatabase>;

/** Texts are held for less than two days. */
const heldFor = sql`interval '2 days'`;

/** Returns the manual sends with held texts, their number and the times they are held until. */
export async function listHeld(db: Db, now: Date): Promise<HeldTexts[]> {
  const result = await sql<HeldTexts & { first_at: Date; last_at: Date }>`
    select sends.scheduled_message_id, messages.title, held.texts, held.first_at, held.last_at
    from staff_sends as sends
    join scheduled_messages as messages on messages.id = sends.scheduled_message_id
    cross join lateral (select count(*) as texts, min(due_at) as first_at, max(due_at) as last_at
      from dispatches where staff_send_id = sends.id and state = 'planned') as held
    where sends.hold_quiet_hours and sends.requested_at > ${now}::timestamptz - ${heldFor} and held.texts > 0
    order by held.first_at`.execute(db);
  return result.rows.map((row) => ({
    ...row,
    first_at: row.first_at.toISOString(),
    last_at: row.last_at.toISOString(),
  }));
}

export async function countHeld(db: Db, manualSendId: string): Promise<number> {
  const row = await db
    .selectFrom('dispatches')
    .select((select) => select.fn.countAll<number>().as('held'))
    .where('staff_send_id', '=', manualSendId)
    .where('state', '=', 'planned')
    .executeTakeFirstOrThrow();
  return row.held;
}
