import { dayMs } from '@daylift/clock/durations';
import { redact } from '@daylift/server/logger';
import { type Kysely, sql, type Transaction } from 'kysely';
import type { SmsDatabase } from '../database.ts';

/** After this many aborted attempts a text waits for an admin. */
export const breakOffsToPark = 5;

/** Records why an attempt was aborted. It is counted when its lease ends. */
export async function noteError(
  db: Kysely<SmsDatabase>,
  text: { id: string; local_date: string },
  error: unknown,
  now: Date,
): Promise<void> {
  const why = redact(error instanceof Error ? error.message : String(error)).slice(0, 500);
  await db
    .insertInto('break_offs')
    .values({ text_id: text.id, local_date: text.local_date, times: 0, error: why, last_at: now })
    .onConflict((conflict) => conflict.column('text_id').doUpdateSet({ error: why, last_at: now }))
    .execute();
}

/**
 * Counts attempts that left their text claimed, and holds back texts with too many of them until their windows close.
 */
export async function countBreakOffs(
  trx: Transaction<SmsDatabase>,
  texts: { id: string; local_date: string }[],
  now: Date,
): Promise<void> {
  if (texts.length === 0) return;
  await trx
    .insertInto('break_offs')
    .values(
      texts.map(({ id, local_date }) => ({
        text_id: id,
        local_date,
        times: 1,
        error: null,
        last_at: now,
      })),
    )
    .onConflict((conflict) =>
      conflict.column('text_id').doUpdateSet({ times: sql`break_offs.times + 1`, last_at: now }),
    )
    .execute();
  await sql`update texts t set next_attempt_at = t.deadline_at, reason = 'broke_off'
    from break_offs b where b.text_id = t.id and b.local_date = t.local_date and b.times >= ${breakOffsToPark}
      and t.id = any(${texts.map(({ id }) => id)}) and t.local_date = any(${texts.map(({ local_date }) => local_date)}::date[])`.execute(
    trx,
  );
}

/** Deletes counts long after the windows of any text have closed. */
export async function forgetBreakOffs(db: Kysely<SmsDatabase>, now: Date): Promise<void> {
  const limit = new Date(now.getTime() - 14 * dayMs);
  await db.deleteFrom('break_offs').where('last_at', '<', limit).execute();
}
