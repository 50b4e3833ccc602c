import { type Selectable, sql } from 'kysely';
import { exists, marksOf } from '../customers/proven-contacts.repository.ts';
import type { Db, ReferralsTable, Trx } from '../database.ts';

export type Referral = Selectable<ReferralsTable>;
export type FirstPayment = Pick<
  Referral,
  'invoice_id' | 'payment_intent_id' | 'amount_cents' | 'paid_at' | 'card'
>;

/** Stores a friend's first payment; the earlier one wins if two arrive out of order. */
export async function putFirstPayment(
  trx: Trx,
  who: Pick<Referral, 'friend_user_id' | 'referrer_user_id' | 'credit_cents'>,
  payment: FirstPayment,
): Promise<void> {
  await trx
    .insertInto('referrals')
    .values({ ...who, ...payment })
    .onConflict((conflict) =>
      conflict
        .column('friend_user_id')
        .doUpdateSet(payment)
        .where('referrals.paid_at', '>', payment.paid_at),
    )
    .execute();
}

export async function findReferral(db: Db, friendId: string): Promise<Referral | undefined> {
  return db
    .selectFrom('referrals')
    .selectAll()
    .where('friend_user_id', '=', friendId)
    .executeTakeFirst();
}

export async function friendOfPayment(
  db: Db,
  paymentIntentId: string,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('referrals')
    .select('friend_user_id')
    .where('payment_intent_id', '=', paymentIntentId)
    .executeTakeFirst();
  return row?.friend_user_id;
}

export async function friendsWithCard(db: Db, referrerId: string, card: string): Promise<string[]> {
  const rows = await db
    .selectFrom('referrals')
    .select('friend_user_id')
    .where('referrer_user_id', '=', referrerId)
    .where('card', '=', card)
    .execute();
  return rows.map((row) => row.friend_user_id);
}

/** Returns credits earned before the referrer was a customer at the provider. */
export async function friendsNotBooked(db: Db, referrerId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('referrals')
    .select('friend_user_id')
    .where('referrer_user_id', '=', referrerId)
    .where('outcome', '=', 'earned')
    .where('booked_cents', '=', 0)
    .execute();
  return rows.map((row) => row.friend_user_id);
}

export async function storeOutcome(
  trx: Trx,
  friendId: string,
  outcome: Referral['outcome'],
): Promise<void> {
  await trx
    .updateTable('referrals')
    .set({ outcome })
    .where('friend_user_id', '=', friendId)
    .execute();
}

/** Records a booking made at the provider, once per number. */
export async function storeBooking(db: Db, referral: Referral, cents: number): Promise<void> {
  await db
    .updateTable('referrals')
    .set({ booked_cents: referral.booked_cents + cents, bookings: referral.bookings + 1 })
    .where('friend_user_id', '=', referral.friend_user_id)
    .where('bookings', '=', referral.bookings)
    .execute();
}

/** Returns whether this card, address or number has brought a credit before, under any account. */
export function hasBroughtCredit(
  db: Db,
  { friend_user_id, card }: Pick<Referral, 'friend_user_id' | 'card'>,
): Promise<boolean> {
  return exists(
    db,
    sql`select from referrals other
      where other.friend_user_id <> ${friend_user_id}
        and other.outcome in ('earned', 'taken_back')
        and (other.card = ${card}
          -- Trial marks outlive the other account and its own data.
          or exists (select from trial_uses used where used.user_id = other.friend_user_id
            and (used.kind = 'card' and used.mark = ${card}
              or (used.kind, used.mark) in ${marksOf(friend_user_id)}))
          or exists (select from proven_contacts theirs
            where theirs.user_id = other.friend_user_id
              and (theirs.kind, theirs.mark) in ${marksOf(friend_user_id)}))`,
  );
}

/** Returns what the payer got back: by refunds until an instant, and by disputes at any time. */
export async function sumReturned(db: Db, paymentIntentId: string, until: Date): Promise<number> {
  const { rows } = await sql<{ cents: number }>`
    select coalesce((select sum(amount_cents) from refunds
        where payment_intent_id = ${paymentIntentId} and status in ('succeeded', 'pending')
          and created_at <= ${until}), 0)
      + coalesce((select sum(amount_cents) from disputes
        where payment_intent_id = ${paymentIntentId} and state in ('open', 'lost')), 0) as cents`.execute(
    db,
  );
  return rows[0]?.cents ?? 0;
}

export async function readFigures(
  db: Db,
  referrerId: string,
): Promise<{ pending: number; successful: number; earned_cents: number }> {
  const [friends, earned] = await Promise.all([
    db
      .selectFrom('customers')
      .select((select) => select.fn.countAll<number>().as('pending'))
      .where('referrer_user_id', '=', referrerId)
      .where('user_id', '!=', referrerId)
      .where('deleted_at', 'is', null)
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('referrals')
              .select('referrals.friend_user_id')
              .whereRef('referrals.friend_user_id', '=', 'customers.user_id'),
          ),
        ),
      )
      .executeTakeFirstOrThrow(),
    db
      .selectFrom('referrals')
      .select((select) => [
        select.fn.countAll<number>().as('successful'),
        select.fn.coalesce(select.fn.sum<number>('credit_cents'), sql<number>`0`).as('cents'),
      ])
      .where('referrer_user_id', '=', referrerId)
      .where('outcome', '=', 'earned')
      .executeTakeFirstOrThrow(),
  ]);
  return {
    pending: friends.pending,
    successful: earned.successful,
    earned_cents: Number(earned.cents),
  };
}

/** Returns when the bill is due that uses the credit; null without one. A retried bill is too old to use it. */
export async function findNextBill(db: Db, userId: string): Promise<Date | null> {
  const row = await db
    .selectFrom('subscriptions')
    .select('next_charge_at')
    .where('user_id', '=', userId)
    .where('status', 'in', ['trial', 'active'])
    .where('cancel_at_period_end', '=', false)
    .executeTakeFirst();
  return row?.next_charge_at ?? null;
}

export async function storeFigures(
  trx: Trx,
  referrerId: string,
  { successful, version }: { successful: number; version: number },
): Promise<void> {
  await trx
    .updateTable('customers')
    .set({ referrals_successful: successful, referrals_version: version })
    .where('user_id', '=', referrerId)
    .execute();
}
