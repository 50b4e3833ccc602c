import { dayMs } from '@daylift/clock/durations';
import { sql, type Transaction } from 'kysely';
import type { SmsDatabase } from '../database.ts';
import {
  consentKeyOfRecipient,
  isEntitled,
  provenAt,
} from '../recipients/recipients.repository.ts';

type Trx = Transaction<SmsDatabase>;

/** SQL: the number is where a recipient's request goes. */
const isRequestedAt = (numberHash: string) =>
  sql<boolean>`(recipients.pending_hash = ${numberHash} or (recipients.pending_hash is null
    and recipients.number_hash = ${numberHash} and recipients.consent = 'pending'))`;

/** Returns whether another account asked the number within a day. */
export async function isRequestedByAnother(
  trx: Trx,
  { user_id, number_hash }: { user_id: string; number_hash: string },
  now: Date,
): Promise<boolean> {
  const open = await trx
    .selectFrom('recipients')
    .innerJoin('own_text_keys', (join) => join.on('own_text_keys.key', '=', consentKeyOfRecipient))
    .select('own_text_keys.key')
    .where(isRequestedAt(number_hash))
    .where('recipients.user_id', '<>', user_id)
    .where('own_text_keys.created_at', '>', new Date(now.getTime() - dayMs))
    .executeTakeFirst();
  return open !== undefined;
}

/** Returns the entitled recipient who agreed to texts at the number. */
export function findConsented(trx: Trx, numberHash: string, now: Date) {
  return trx
    .selectFrom('recipients')
    .select(['user_id', 'version', 'phone_proven', 'pending_hash'])
    .where('number_hash', '=', numberHash)
    .where('consent', '=', 'granted')
    .where(isEntitled(now))
    .orderBy('phone_proven', 'desc')
    .executeTakeFirst();
}

/** Returns a subscriber who has proven the number, else the recipient of its latest request. */
export function findLatestRequested(
  trx: Trx,
  numberHash: string,
): Promise<{ user_id: string; version: number; is_new: boolean } | undefined> {
  const isProven = provenAt(numberHash);
  return (
    trx
      .selectFrom('recipients')
      .leftJoin('own_text_keys', (join) => join.on('own_text_keys.key', '=', consentKeyOfRecipient))
      .select(['recipients.user_id', 'recipients.version'])
      // It replaces or has replaced another number.
      .select(sql<boolean>`pending_hash is not null or number_changed`.as('is_new'))
      .where(isRequestedAt(numberHash))
      .where((where) =>
        where.or([
          where('own_text_keys.key', 'is not', null),
          where.and([isProven, where('recipients.subscription_version', '>', 0)]),
        ]),
      )
      .orderBy(isProven, 'desc')
      .orderBy('own_text_keys.created_at', (order) => order.desc().nullsLast())
      .executeTakeFirst()
  );
}

/** Dates the request with this key from now on; `repetitionKey` is that of its repetition. */
export async function renewRequest(
  trx: Trx,
  key: string,
  repetitionKey: string,
  now: Date,
): Promise<void> {
  await trx
    .insertInto('own_text_keys')
    .columns(['key', 'text_id', 'created_at'])
    .expression((from) =>
      from
        .selectFrom('own_text_keys')
        .select((select) => [select.val(key).as('key'), 'text_id', 'created_at'])
        .where('key', '=', repetitionKey),
    )
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ created_at: now }))
    .execute();
}
