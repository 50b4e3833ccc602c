import type { Kysely } from 'kysely';
import type { SchedulerDatabase } from '../database.ts';

/** Exports a subscriber's settings and permissions, without internal counters. */
export function exportSettings(db: Kysely<SchedulerDatabase>, userId: string) {
  return db
    .selectFrom('subscribers')
    .select(['timezone', 'delivery_hour', 'frequency', 'weekday', 'is_active'])
    .select(['delivery_enabled', 'paused_until', 'consent', 'opted_out', 'opted_at'])
    .select(['entitled', 'entitled_since', 'entitled_until', 'first_local_date'])
    .select(['next_local_date', 'next_due_at'])
    .where('user_id', '=', userId)
    .where('is_deleted', '=', false)
    .executeTakeFirst();
}

/** Exports every date with a planned text, and its outcome. */
export async function exportDispatches(db: Kysely<SchedulerDatabase>, userId: string) {
  const rows = await db
    .selectFrom('dispatches')
    .select(['local_date', 'kind', 'due_at', 'timezone', 'state', 'reason', 'is_test'])
    .select(['settled_at'])
    .where('user_id', '=', userId)
    .orderBy('local_date')
    .orderBy('due_at')
    .execute();
  return rows.map((row) => ({ ...row, kind: row.kind.split(':')[0] }));
}
