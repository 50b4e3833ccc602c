import { type Kysely, type Selectable, sql, type Transaction } from 'kysely';
import type { SmsDatabase } from '../database.ts';
import type { RecipientsTable } from './recipients.table.ts';

type Trx = Transaction<SmsDatabase>;
export type RecipientRow = Selectable<RecipientsTable>;

export function findRecipient(
  db: Kysely<SmsDatabase>,
  userId: string,
): Promise<RecipientRow | undefined> {
  return db.selectFrom('recipients').selectAll().where('user_id', '=', userId).executeTakeFirst();
}

export function lockRecipient(trx: Trx, userId: string): Promise<RecipientRow | undefined> {
  return trx
    .selectFrom('recipients')
    .selectAll()
    .where('user_id', '=', userId)
    .forUpdate()
    .executeTakeFirst();
}

/** SQL: the recipient may get texts. */
export const isEntitled = (now: Date) =>
  sql<boolean>`(recipients.entitled
    and (recipients.entitled_until is null or recipients.entitled_until > ${now}))`;

/** SQL: the recipient has proven this number. */
export const provenAt = (numberHash: string) =>
  sql<boolean>`coalesce(recipients.phone_proven and recipients.number_hash = ${numberHash}, false)`;

export interface NumberClaim {
  user_id: string;
  subscription_version: number;
  is_proven: boolean;
}

/** Returns accounts that have the number or want to change to it. */
export function findClaims(trx: Trx, numberHash: string): Promise<NumberClaim[]> {
  return trx
    .selectFrom('recipients')
    .select(['user_id', 'subscription_version'])
    .select(provenAt(numberHash).as('is_proven'))
    .where((where) =>
      where.or([where('number_hash', '=', numberHash), where('pending_hash', '=', numberHash)]),
    )
    .execute();
}

export interface Sender {
  user_id: string;
  phone_proven: boolean;
  timezone: string | null;
  /** Whether the account has proven the number, or paid for and agreed to texts there. */
  is_sender: boolean;
}

/** Returns the account with the best claim on a number. It may not have proven it. */
export async function findClaimant(
  trx: Trx,
  numberHash: string,
  now: Date,
): Promise<Sender | null> {
  const isSender = sql<boolean>`(phone_proven or (consent = 'granted' and ${isEntitled(now)}))`;
  const row = await trx
    .selectFrom('recipients')
    .select(['user_id', 'timezone', 'phone_proven'])
    .select(isSender.as('is_sender'))
    .where('number_hash', '=', numberHash)
    .orderBy('phone_proven', 'desc')
    .orderBy('is_sender', 'desc')
    .orderBy('version', 'desc')
    .executeTakeFirst();
  return row ?? null;
}
