import { randomUUID } from 'node:crypto';
import type { Selectable } from 'kysely';
import type { CheckoutsTable, Db } from '../database.ts';

export type Checkout = Selectable<CheckoutsTable>;
/** What the user wants to buy. Two requests for the same get the same page. */
export type Intent = Pick<
  Checkout,
  'user_id' | 'plan' | 'origin' | 'trial_days' | 'free_until' | 'promotion_id'
>;

/** Longer than a provider call with its retries. Wall clock. */
const leaseMs = 45_000;
const leaseEnd = () => new Date(Date.now() + leaseMs);
const openStatuses = ['creating', 'open', 'closing'] as const;

export async function findOpenCheckout(db: Db, userId: string): Promise<Checkout | undefined> {
  return db
    .selectFrom('checkouts')
    .selectAll()
    .where('user_id', '=', userId)
    .where('status', 'in', openStatuses)
    .executeTakeFirst();
}

export async function findCheckoutBySession(
  db: Db,
  sessionId: string,
): Promise<Checkout | undefined> {
  return db
    .selectFrom('checkouts')
    .selectAll()
    .where('session_id', '=', sessionId)
    .executeTakeFirst();
}

/** Returns undefined if another caller was first. */
export async function beginCheckout(
  db: Db,
  intent: Intent,
  now: Date,
): Promise<Checkout | undefined> {
  return db
    .insertInto('checkouts')
    .values({
      id: randomUUID(),
      ...intent,
      status: 'creating',
      claimed_until: leaseEnd(),
      created_at: now,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst();
}

/** Claims a row without a current owner. Returns undefined if another caller was first. */
export async function claimCheckout(
  db: Db,
  checkout: Checkout,
  change: Partial<Intent> & { status: 'creating' | 'closing'; attempt?: number },
): Promise<Checkout | undefined> {
  return db
    .updateTable('checkouts')
    .set({ ...change, claimed_until: leaseEnd() })
    .where('id', '=', checkout.id)
    .where('status', '=', checkout.status)
    .where((where) =>
      where.or([where('claimed_until', 'is', null), where('claimed_until', '<', new Date())]),
    )
    .returningAll()
    .executeTakeFirst();
}

/** Releases a row after a failure, for the next caller. */
export async function releaseCheckout(
  db: Db,
  checkout: Checkout,
  change: { status: 'creating' | 'open'; attempt: number; promotion_id?: null },
): Promise<void> {
  await db
    .updateTable('checkouts')
    .set({ ...change, claimed_until: null })
    .where('id', '=', checkout.id)
    .where('status', '=', checkout.status)
    .execute();
}

export async function storeSession(
  db: Db,
  checkout: Checkout,
  session: { id: string; url: string; expires_at: Date },
): Promise<void> {
  await db
    .updateTable('checkouts')
    .set({
      status: 'open',
      claimed_until: null,
      session_id: session.id,
      url: session.url,
      expires_at: session.expires_at,
    })
    .where('id', '=', checkout.id)
    .where('status', '=', 'creating')
    .where('attempt', '=', checkout.attempt)
    .execute();
}

/** An ended checkout never reopens, whatever the order of events. */
export async function endCheckout(
  db: Db,
  sessionId: string,
  outcome: Pick<Checkout, 'payment_status' | 'stripe_subscription_id'> & {
    status: 'complete' | 'expired';
  },
): Promise<void> {
  await db
    .updateTable('checkouts')
    .set({ ...outcome, claimed_until: null })
    .where('session_id', '=', sessionId)
    .where((where) =>
      where.or([
        where('status', 'in', openStatuses),
        // A payment in progress has arrived.
        where('payment_status', '=', 'unpaid'),
      ]),
    )
    .execute();
}
