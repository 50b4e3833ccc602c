import { dayMs } from '@daylift/clock/durations';
import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely';
import type { SmsDatabase } from '../database.ts';
import { consentKeyOfRecipient } from '../recipients/recipients.repository.ts';

type Trx = Transaction<SmsDatabase>;

/** A text to the number that a recipient has at present. */
export interface Delivery {
  user_id: string;
  phone: string;
  sentAt: Date;
}

/**
 * Returns the dates in a row with failures. A second one on a date doesn't count, nor one of a text before the number
 * last got or sent one, because receipts arrive in any order.
 */
export async function addFailure(
  trx: Trx,
  { user_id, phone, sentAt, local_date }: Delivery & { local_date: string },
): Promise<number> {
  const { rows } = await sql<{ failures: number }>`update recipients r set failures = failures + 1,
      failed_on = ${local_date}::date, failed_at = greatest(failed_at, ${sentAt}::timestamptz)
    where r.user_id = ${user_id} and r.phone = ${phone} and r.failed_on is distinct from ${local_date}::date
      and not exists (select from inbound_texts i where i.from_number = ${phone} and i.received_at > ${sentAt})
      and (select true from texts later where later.user_id = ${user_id} and later.local_date >= ${local_date}::date - 1
        and later.handed_at > ${sentAt} and not later.is_test and later.to_number = ${phone}
        and (later.state || '' = 'delivered' or (later.state || '' = 'sent' and later.finalized_at is not null))
        limit 1) is null
    returning r.failures`.execute(trx);
  return rows[0]?.failures ?? 0;
}

/** Resets failure counts older than these texts, which arrived. */
export async function clearFailures(trx: Trx, arrived: Delivery[]): Promise<void> {
  if (arrived.length === 0) return;
  const of = <T>(read: (one: Delivery) => T) => arrived.map(read);
  await sql`update recipients r set failures = 0
    from unnest(${of(({ user_id }) => user_id)}::uuid[], ${of(({ phone }) => phone)}::text[],
      ${of(({ sentAt }) => sentAt)}::timestamptz[]) as d (user_id, phone, sent_at)
    where r.user_id = d.user_id and r.failures > 0 and r.phone = d.phone and r.failed_at <= d.sent_at`.execute(
    trx,
  );
}

const inactiveMs = 45 * dayMs;
/** How far `reached_at` may lag behind, so most texts don't change it. */
const noteEveryMs = 7 * dayMs;

/**
 * SQL, with the recipient as `r`: no text of a batch to the number was accepted for 45 days, so it may have a new owner.
 * Others don't count, because strangers can have codes texted to it. `reached_at` lags behind, so an old one is only a
 * reason to search the texts.
 */
export function isInactive(now: Date): RawBuilder<boolean> {
  const since = new Date(now.getTime() - inactiveMs);
  // In UTC, so a local date may be a day off.
  const firstDate = new Date(since.getTime() - dayMs).toISOString().slice(0, 10);
  // The limit forbids a hash over all texts, and the state is compared in a form that no index serves.
  return sql`(case when coalesce(r.reached_at > ${since}, true) then false
    else (select true from texts one where one.user_id = r.user_id and one.local_date >= ${firstDate}::date
      and one.handed_at > ${since} and one.batch_id is not null and not one.is_test and one.to_number = r.phone
      and one.state || '' in ('accepted', 'sent', 'delivered') limit 1) is null end)`;
}

/** SQL, with the recipient as `r`: `reached_at` lags too far behind. */
export const isReachedLate = (now: Date): RawBuilder<boolean> =>
  sql`coalesce(r.reached_at < ${new Date(now.getTime() - noteEveryMs)}, true)`;

/** Notes that texts to these numbers were accepted. */
export async function noteReached(
  db: Kysely<SmsDatabase>,
  reached: { user_id: string; phone: string }[],
  now: Date,
): Promise<void> {
  if (reached.length === 0) return;
  const ids = reached.map(({ user_id }) => user_id);
  const phones = reached.map(({ phone }) => phone);
  await sql`update recipients r set reached_at = ${now}
    from unnest(${ids}::uuid[], ${phones}::text[]) as d (user_id, phone)
    where r.user_id = d.user_id and r.phone = d.phone`.execute(db);
}

/** Notes that the number sent a text. */
export async function noteHeard(trx: Trx, numberHash: string, now: Date): Promise<void> {
  await sql`update recipients r set reached_at = ${now}, failures = 0
    where r.number_hash = ${numberHash} and (r.failures > 0 or ${isReachedLate(now)})`.execute(trx);
}

/** Returns the version of the recipient's data, or null if they no longer have this number. */
export async function restartCount(
  trx: Trx,
  userId: string,
  phone: string | undefined,
): Promise<number | null> {
  const row = await trx
    .updateTable('recipients')
    .set({ failures: 0 })
    .where('user_id', '=', userId)
    .$if(phone !== undefined, (query) => query.where('phone', '=', phone!))
    .returning('version')
    .executeTakeFirst();
  return row?.version ?? null;
}

/** Marks the number as asked for a YES without sending a request, so a YES counts. */
export async function markConsentRequested(trx: Trx, userId: string, now: Date): Promise<void> {
  await sql`insert into own_text_keys (key, text_id, created_at)
    select ${consentKeyOfRecipient}, 'unreachable', ${now} from recipients where user_id = ${userId}
    on conflict do nothing`.execute(trx);
}
