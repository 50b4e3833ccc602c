import { sql, type Transaction } from 'kysely';
import type { SmsDatabase } from '../database.ts';
import { consentKeyOfRecipient } from '../recipients/recipients.repository.ts';

type Trx = Transaction<SmsDatabase>;

/** A text to the number that a recipient has at present. */
export interface Delivery {
  user_id: string;
  phone: string;
  sentAt: Date;
}

/** Returns the failures in a row, or null if the recipient has another number by now. */
export async function addFailure(
  trx: Trx,
  { user_id, phone, sentAt }: Delivery,
): Promise<number | null> {
  const row = await trx
    .updateTable('recipients')
    .set({
      failures: sql`failures + 1`,
      failed_at: sql`greatest(failed_at, ${sentAt}::timestamptz)`,
    })
    .where('user_id', '=', user_id)
    .where('phone', '=', phone)
    .returning('failures')
    .executeTakeFirst();
  return row?.failures ?? null;
}

/** Ends the rows of failures before these texts, which were delivered. */
export async function clearFailures(trx: Trx, delivered: Delivery[]): Promise<void> {
  if (delivered.length === 0) return;
  const of = <T>(read: (one: Delivery) => T) => delivered.map(read);
  await sql`update recipients r set failures = 0
    from unnest(${of(({ user_id }) => user_id)}::uuid[], ${of(({ phone }) => phone)}::text[],
      ${of(({ sentAt }) => sentAt)}::timestamptz[]) as d (user_id, phone, sent_at)
    where r.user_id = d.user_id and r.failures > 0 and r.phone = d.phone and r.failed_at <= d.sent_at`.execute(
    trx,
  );
}

/** Returns the version of the recipient's data. */
export async function restartCount(trx: Trx, userId: string): Promise<number> {
  const { version } = await trx
    .updateTable('recipients')
    .set({ failures: 0 })
    .where('user_id', '=', userId)
    .returning('version')
    .executeTakeFirstOrThrow();
  return version;
}

/** Marks the number as asked for a YES without a request, so that a YES counts. */
export async function startUnasked(trx: Trx, userId: string, now: Date): Promise<void> {
  await sql`insert into own_text_keys (key, text_id, created_at)
    select ${consentKeyOfRecipient}, 'unreachable', ${now} from recipients where user_id = ${userId}
    on conflict do nothing`.execute(trx);
}
