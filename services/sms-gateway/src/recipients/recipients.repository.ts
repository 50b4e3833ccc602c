import type { Frequency } from '@daylift/contracts/fields';
import { lockKey } from '@daylift/database/advisory-locks';
import { type Insertable, type Kysely, type Selectable, sql, type Transaction } from 'kysely';
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

/** SQL: the key of the consent request that a YES confirms; `consentKey` in `consent-requests.ts` is the same. */
export const consentKeyOfRecipient = sql<string>`'consent_request:' || recipients.user_id || ':' || recipients.number_version`;

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
  frequency: Frequency | null;
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
    .select(['user_id', 'timezone', 'frequency', 'phone_proven'])
    .select(isSender.as('is_sender'))
    .where('number_hash', '=', numberHash)
    .orderBy('phone_proven', 'desc')
    .orderBy('is_sender', 'desc')
    .orderBy('version', 'desc')
    .executeTakeFirst();
  return row ?? null;
}

type NewRecipient = Insertable<RecipientsTable> & Pick<RecipientRow, 'version'>;
export type KnownNumber = Pick<
  RecipientRow,
  | 'number_hash'
  | 'pending_hash'
  | 'number_version'
  | 'number_changed'
  | 'phone'
  | 'phone_proven'
  | 'must_confirm'
  | 'consent'
  | 'subscription_version'
>;

/** Locks the recipient and returns the number known so far. */
export async function lockKnownNumber(trx: Trx, userId: string): Promise<KnownNumber> {
  const row = await trx
    .selectFrom('recipients')
    .select(['number_hash', 'pending_hash', 'number_version', 'number_changed'])
    .select(['phone', 'phone_proven', 'must_confirm', 'consent', 'subscription_version'])
    .where('user_id', '=', userId)
    .forUpdate()
    .executeTakeFirst();
  return (
    row ?? {
      number_hash: null,
      pending_hash: null,
      number_version: 0,
      number_changed: false,
      phone: null,
      phone_proven: false,
      must_confirm: false,
      consent: 'pending',
      subscription_version: 0,
    }
  );
}

/** Returns whether another subscriber holds the number. Serializes claims on one number. */
export async function isHeldByAnother(
  trx: Trx,
  userId: string,
  numberHash: string,
): Promise<boolean> {
  await lockKey(trx, numberHash);
  const other = await trx
    .selectFrom('recipients')
    .select('user_id')
    .where('number_hash', '=', numberHash)
    .where('user_id', '<>', userId)
    .where('subscription_version', '>', 0)
    .executeTakeFirst();
  return other !== undefined;
}

/**
 * Stores data from accounts. Returns false for a late older version, or after the deletion. A pause by reply that
 * accounts doesn't know yet stays. Consent given again shows that the number is theirs, as a text from it would.
 */
export async function putRecipient(
  trx: Trx,
  row: NewRecipient,
  { replySettingAt, now }: { replySettingAt: string | null; now: Date },
): Promise<boolean> {
  const { user_id: _, ...values } = row;
  const { version, number_hash, pending_hash } = row;
  const stored = await trx
    .insertInto('recipients')
    .values({ ...row, number_version: version })
    .onConflict((conflict) =>
      conflict
        .column('user_id')
        .doUpdateSet({
          ...values,
          revision: sql`recipients.revision + 1`,
          paused_until: sql`case when recipients.reply_setting_at > coalesce(${replySettingAt}::timestamptz, '-infinity')
            then recipients.paused_until else ${row.paused_until}::date end`,
          number_version: sql`case when recipients.number_hash is distinct from ${number_hash}
            or recipients.pending_hash is distinct from ${pending_hash} then ${version} else recipients.number_version end`,
          number_changed: sql`recipients.number_changed
            or coalesce(recipients.number_hash <> ${number_hash}, false)`,
          reached_at: sql`case when recipients.number_hash = ${number_hash} then
            case when recipients.consent <> 'granted' and excluded.consent = 'granted' then ${now}::timestamptz
              else recipients.reached_at end end`,
          failures: sql`case when recipients.number_hash = ${number_hash} then recipients.failures else 0 end`,
        })
        .where('recipients.version', '<', version)
        .where('recipients.deleted_at', 'is', null),
    )
    .returning('user_id')
    .executeTakeFirst();
  return stored !== undefined;
}

/** Returns false for a late older version, or after the deletion. */
export async function putEntitlement(
  trx: Trx,
  userId: string,
  values: Pick<RecipientRow, 'subscription_version' | 'entitled' | 'entitled_until'>,
): Promise<boolean> {
  const stored = await trx
    .insertInto('recipients')
    .values({ user_id: userId, ...values })
    .onConflict((conflict) =>
      conflict
        .column('user_id')
        .doUpdateSet({ ...values, revision: sql`recipients.revision + 1` })
        .where('recipients.subscription_version', '<', values.subscription_version)
        .where('recipients.deleted_at', 'is', null),
    )
    .returning('user_id')
    .executeTakeFirst();
  return stored !== undefined;
}

/** Texts wait until the number is proven. */
export async function requireConfirmation(trx: Trx, userId: string): Promise<void> {
  await trx
    .updateTable('recipients')
    .set({
      must_confirm: true,
      consent: sql`case consent when 'granted' then 'pending' else consent end`,
    })
    .where('user_id', '=', userId)
    .execute();
}

export async function storePause(
  trx: Trx,
  userId: string,
  pausedUntil: string | null,
  at: Date,
): Promise<void> {
  await trx
    .updateTable('recipients')
    .set({ paused_until: pausedUntil, reply_setting_at: at, revision: sql`revision + 1` })
    .where('user_id', '=', userId)
    .where((where) =>
      where.or([where('reply_setting_at', 'is', null), where('reply_setting_at', '<=', at)]),
    )
    .where('deleted_at', 'is', null)
    .execute();
}

/** What remains of a deleted person: an id that late events can't fill again. */
const noRecipient = {
  phone: null,
  number_hash: null,
  pending_phone: null,
  pending_hash: null,
  first_name: '',
  timezone: null,
  delivery_hour: null,
  frequency: null,
  weekday: null,
  is_active: false,
  delivery_enabled: false,
  paused_until: null,
  reply_setting_at: null,
  opted_at: null,
  failures: 0,
  failed_at: null,
  failed_on: null,
  reached_at: null,
  consent: 'revoked' as const,
  entitled: false,
  entitled_until: null,
};

export async function eraseData(trx: Trx, userId: string, now: Date): Promise<void> {
  const erased = { ...noRecipient, deleted_at: now };
  await trx
    .insertInto('recipients')
    .values({ user_id: userId, ...erased })
    .onConflict((conflict) =>
      conflict.column('user_id').doUpdateSet({ ...erased, revision: sql`recipients.revision + 1` }),
    )
    .execute();
}
