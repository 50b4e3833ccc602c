import { dayMs } from '@daylift/clock/durations';
import type { Cleanup } from '@daylift/database/cleanup';
import { maxAttempts } from '@daylift/mail/mail';
import { type Insertable, type Selectable, sql } from 'kysely';
import type { BillingDatabase, Db, GiftsTable, Trx } from '../database.ts';

export type Gift = Selectable<GiftsTable>;

/** Returns the end of a redeemed gift's free time, which is early once its payment is returned. */
export const giftEnd = ({
  ends_at,
  taken_back_ms,
  postpones_charge,
}: Pick<Gift, 'ends_at' | 'taken_back_ms' | 'postpones_charge'>): Date | null =>
  // That of a moved charge is stored as the early one.
  ends_at === null || taken_back_ms === null || postpones_charge
    ? ends_at
    : new Date(ends_at.getTime() - taken_back_ms);

/** Why a gift can't be used. `refunded`: in full. */
type GiftHold = 'disputed' | 'lost' | 'refunded' | null;

/** A payment may be reported days after its page has expired. */
export const unpaidGifts: Cleanup<BillingDatabase> = {
  table: 'gifts',
  column: 'created_at',
  keptMs: 14 * dayMs,
  only: () => sql`paid_at is null`,
};

/** Staff can't send them again. */
export const failedMailsToErased: Cleanup<BillingDatabase> = {
  table: 'mails',
  column: 'next_try_at',
  keptMs: 0,
  only: () => sql`sent_at is null and tries >= ${sql.lit(maxAttempts)}
    and exists (select from gifts g where 'gift:' || g.id = key and g.buyer_email = '')`,
};

const holdNow = sql<GiftHold>`case
  when exists (select from disputes d where d.payment_intent_id = gifts.payment_intent_id and d.state = 'lost') then 'lost'
  when exists (select from disputes d where d.payment_intent_id = gifts.payment_intent_id and d.state = 'open')
    then 'disputed'
  when gifts.paid_cents <= (select sum(r.amount_cents) from refunds r
    where r.payment_intent_id = gifts.payment_intent_id and r.status in ('succeeded', 'pending')) then 'refunded' end`;

/**
 * Locks until the end of the transaction, because parallel requests must count each other's checkouts. Taken before the
 * lock of a gift, because an erasure locks several.
 */
export async function lockBuyer(trx: Trx, email: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`gift:${email}`}, 0))`.execute(trx);
}

export function findOpenGifts(trx: Trx, email: string, now: Date): Promise<Gift[]> {
  return trx
    .selectFrom('gifts')
    .selectAll()
    .where('buyer_email', '=', email)
    .where('paid_at', 'is', null)
    .where('expires_at', '>', now)
    .execute();
}

export function insertGift(trx: Trx, gift: Insertable<GiftsTable>): Promise<Gift> {
  return trx.insertInto('gifts').values(gift).returningAll().executeTakeFirstOrThrow();
}

export async function updateGift(db: Db, id: string, change: Partial<Gift>): Promise<void> {
  await db.updateTable('gifts').set(change).where('id', '=', id).execute();
}

/** Deletes a gift whose payment page couldn't be opened. */
export async function deleteUnopened(db: Db, id: string): Promise<void> {
  await db.deleteFrom('gifts').where('id', '=', id).where('session_id', 'is', null).execute();
}

export function findGift(db: Db, id: string): Promise<Gift | undefined> {
  return db.selectFrom('gifts').selectAll().where('id', '=', id).executeTakeFirst();
}

export function findGiftBySession(db: Db, sessionId: string): Promise<Gift | undefined> {
  return db.selectFrom('gifts').selectAll().where('session_id', '=', sessionId).executeTakeFirst();
}

export function findGiftByHash(db: Db, codeHash: string): Promise<Gift | undefined> {
  return db
    .selectFrom('gifts')
    .selectAll()
    .where('code_hash', '=', codeHash)
    .where('paid_at', 'is not', null)
    .executeTakeFirst();
}

/** Taken before the recipient's lock. */
export function lockGift(trx: Trx, id: string): Promise<Gift | undefined> {
  return trx.selectFrom('gifts').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
}

const giftOfPayment = (db: Db, paymentIntentId: string) =>
  db.selectFrom('gifts').selectAll().where('payment_intent_id', '=', paymentIntentId);

export const findGiftOfPayment = (db: Db, paymentIntentId: string): Promise<Gift | undefined> =>
  giftOfPayment(db, paymentIntentId).executeTakeFirst();

export const lockGiftOfPayment = (trx: Trx, paymentIntentId: string): Promise<Gift | undefined> =>
  giftOfPayment(trx, paymentIntentId).forUpdate().executeTakeFirst();

export async function findGiftHold(db: Db, id: string): Promise<GiftHold> {
  const gift = await db
    .selectFrom('gifts')
    .select(holdNow.as('hold'))
    .where('id', '=', id)
    .executeTakeFirst();
  return gift?.hold ?? null;
}

export interface ListedGift extends Gift {
  hold: GiftHold;
  recipient_name: string | null;
}

/** Returns paid gifts, newest first. */
export async function listGifts(
  db: Db,
  { limit, offset, id }: { limit: number; offset: number; id?: string },
): Promise<{ rows: ListedGift[]; total: number }> {
  const paid = db
    .selectFrom('gifts')
    .where('paid_at', 'is not', null)
    .$if(id !== undefined, (query) => query.where('id', '=', id!));
  const [rows, count] = await Promise.all([
    paid
      .leftJoin('customers', 'customers.user_id', 'gifts.redeemed_by')
      .selectAll('gifts')
      .select(['customers.name as recipient_name', holdNow.as('hold')])
      .orderBy('paid_at', 'desc')
      .orderBy('id')
      .limit(limit)
      .offset(offset)
      .execute(),
    paid.select((select) => select.fn.countAll<number>().as('total')).executeTakeFirstOrThrow(),
  ]);
  return { rows, total: count.total };
}

/** Returns gifts that a user redeemed. */
export function findGiftsRedeemedBy(
  db: Db,
  userId: string,
  { from, until, limit }: { from?: Date; until: Date; limit: number },
): Promise<Gift[]> {
  return db
    .selectFrom('gifts')
    .selectAll()
    .where('redeemed_by', '=', userId)
    .where('redeemed_at', '<=', until)
    .$if(from !== undefined, (query) => query.where('redeemed_at', '>=', from!))
    .orderBy('redeemed_at', 'desc')
    .limit(limit)
    .execute();
}

/** Returns the payments of gifts taken back from the owner of a subscription. */
export async function findTakenBack(db: Db, subscriptionId: string): Promise<string[]> {
  const gifts = await db
    .selectFrom('gifts')
    .innerJoin('subscriptions', 'subscriptions.user_id', 'gifts.redeemed_by')
    .select('gifts.payment_intent_id')
    .where('subscriptions.stripe_subscription_id', '=', subscriptionId)
    .where('gifts.taken_back_ms', 'is not', null)
    .execute();
  return gifts.flatMap(({ payment_intent_id }) => payment_intent_id ?? []);
}

/** Returns gifts bought with the address that a user has proven. */
export function findGiftsBoughtBy(db: Db, userId: string): Promise<Gift[]> {
  return db
    .selectFrom('gifts')
    .selectAll('gifts')
    .innerJoin('customers', 'customers.email', 'gifts.buyer_email')
    .where('customers.user_id', '=', userId)
    .where('customers.email_proven', '=', true)
    .where('customers.email', '!=', '')
    .where('paid_at', 'is not', null)
    .orderBy('paid_at')
    .execute();
}

/** Locks gifts that someone bought or redeemed, after the buyer's lock and before the recipient's. */
export function lockGiftsOf(
  trx: Trx,
  { email, user_id }: { email?: string | undefined; user_id?: string },
): Promise<Gift[]> {
  return trx
    .selectFrom('gifts')
    .selectAll()
    .where((where) =>
      where.or([
        ...(email === undefined ? [] : [where('buyer_email', '=', email)]),
        ...(user_id === undefined ? [] : [where('redeemed_by', '=', user_id)]),
      ]),
    )
    .orderBy('id')
    .forUpdate()
    .execute();
}

/** Erases the address of an erased buyer whose payment page has expired. */
export async function eraseUnpaidBuyer(db: Db, id: string): Promise<void> {
  await db
    .updateTable('gifts')
    .set({ buyer_email: '' })
    .where('id', '=', id)
    .where('buyer_name', '=', '')
    .where('paid_at', 'is', null)
    .execute();
}

/** Returns a user's open checkouts of plans. */
export async function findCheckoutPages(trx: Trx, userId: string): Promise<string[]> {
  const open = await trx
    .selectFrom('checkouts')
    .select('session_id')
    .where('user_id', '=', userId)
    .where('status', '=', 'open')
    .execute();
  return open.flatMap(({ session_id }) => session_id ?? []);
}

/** Makes the links of gifts that a user redeemed valid again. Called after `lockGiftsOf`. */
export async function releaseGifts(trx: Trx, userId: string): Promise<void> {
  const unused = { redeemed_by: null, redeemed_at: null, starts_at: null, ends_at: null };
  await trx
    .updateTable('gifts')
    .set({ ...unused, taken_back_ms: null, reminded_at: null })
    .where('redeemed_by', '=', userId)
    .execute();
}

/** Deletes a gift's unsent emails, or only resent ones. */
export async function deleteUnsentMails(
  trx: Trx,
  id: string,
  { keepFirst } = { keepFirst: false },
): Promise<void> {
  await trx
    .deleteFrom('mails')
    .where((where) =>
      where.or([
        where('key', 'like', `gift:${id}:%`),
        ...(keepFirst ? [] : [where('key', '=', `gift:${id}`)]),
      ]),
    )
    .where('sent_at', 'is', null)
    .execute();
}

/** Sends the first email of a gift's link again now if it hasn't been sent. Returns whether that was so. */
export async function retryFirstMail(trx: Trx, id: string, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('mails')
    .set({ tries: 0, next_try_at: now })
    .where('key', '=', `gift:${id}`)
    .where('sent_at', 'is', null)
    .where('discarded_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Erases what buyers wrote to a recipient. Called after `lockGiftsOf`. */
export async function eraseMessages(trx: Trx, userId: string): Promise<void> {
  await trx.updateTable('gifts').set({ message: null }).where('redeemed_by', '=', userId).execute();
}

const unreminded = (db: Db) =>
  db
    .selectFrom('gifts')
    .innerJoin('subscriptions', 'subscriptions.user_id', 'gifts.redeemed_by')
    .where('gifts.redeemed_by', 'is not', null)
    .where('gifts.reminded_at', 'is', null);

/** Returns recipients without a reminder whose free access ends in this period. */
export async function findUnreminded(
  db: Db,
  { after, until }: { after: Date; until: Date },
  limit: number,
): Promise<string[]> {
  const rows = await unreminded(db)
    .select('subscriptions.user_id')
    .distinct()
    .where('subscriptions.comp_until', '>', after)
    .where('subscriptions.comp_until', '<=', until)
    .limit(limit)
    .execute();
  return rows.map(({ user_id }) => user_id);
}

export async function nextUnremindedEnd(db: Db, after: Date): Promise<Date | null> {
  const row = await unreminded(db)
    .select((select) => select.fn.min('subscriptions.comp_until').as('at'))
    .where('subscriptions.comp_until', '>', after)
    .executeTakeFirst();
  return row?.at ?? null;
}

export async function markReminded(trx: Trx, userId: string, now: Date): Promise<void> {
  await lockGiftsOf(trx, { user_id: userId });
  await trx
    .updateTable('gifts')
    .set({ reminded_at: now })
    .where('redeemed_by', '=', userId)
    .where('reminded_at', 'is', null)
    .execute();
}
