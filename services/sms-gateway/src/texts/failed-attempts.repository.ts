import { dayMs } from '@daylift/clock/durations';
import type { Cleanup } from '@daylift/database/cleanup';
import { reasonInWords } from '@daylift/delivery/reason-words';
import { redact } from '@daylift/server/logger';
import { type Kysely, sql, type Transaction } from 'kysely';
import type { SmsDatabase } from '../database.ts';

/** After this many failed attempts a text waits for an admin. */
export const maxFailedAttempts = 5;

/**
 * Counts an attempt that threw before anything was sent. After too many of them the text is held back until its
 * windows close.
 */
export async function recordFailure(
  db: Kysely<SmsDatabase>,
  { id, local_date }: { id: string; local_date: string },
  failure: unknown,
  now: Date,
): Promise<void> {
  const error = redact(failure instanceof Error ? failure.message : String(failure)).slice(0, 500);
  await db.transaction().execute(async (trx) => {
    const { times } = await trx
      .insertInto('break_offs')
      .values({ text_id: id, local_date, times: 1, error, last_at: now })
      .onConflict((conflict) =>
        conflict
          .column('text_id')
          .doUpdateSet({ times: sql`break_offs.times + 1`, error, last_at: now }),
      )
      .returning('times')
      .executeTakeFirstOrThrow();
    await trx
      .updateTable('texts')
      .set({
        enqueued_at: null,
        ...(times >= maxFailedAttempts && {
          next_attempt_at: sql`deadline_at`,
          reason: 'broke_off',
        }),
      })
      .where('id', '=', id)
      .where('local_date', '=', local_date)
      .where('state', '=', 'queued')
      .execute();
  });
}

/** Moves a text that the provider refuses because of our request to failed events, until its windows close. */
export async function holdFailed(
  trx: Transaction<SmsDatabase>,
  { id, local_date }: { id: string; local_date: string },
  reason: string,
  now: Date,
): Promise<void> {
  const failure = { times: maxFailedAttempts, error: reasonInWords(reason), last_at: now };
  await trx
    .insertInto('break_offs')
    .values({ text_id: id, local_date, ...failure })
    .onConflict((conflict) => conflict.column('text_id').doUpdateSet(failure))
    .execute();
}

/** Kept until long after the windows of any text have closed. */
export const oldFailures: Cleanup<SmsDatabase> = {
  table: 'break_offs',
  column: 'last_at',
  keptMs: 14 * dayMs,
};
