import type { DeliverySettings, UserContact } from '@daylift/contracts/accounts.events';
import type { SignupFacts } from '@daylift/contracts/accounts.http';
import { defaultCurrency, defaultPlan } from '@daylift/contracts/plans';
import { type Selectable, sql } from 'kysely';
import type { CustomersTable, Db, Trx } from '../database.ts';

export type Customer = Selectable<CustomersTable>;

/** A deleted account counts as unknown. */
export async function findCustomer(db: Db, userId: string): Promise<Customer | undefined> {
  return db
    .selectFrom('customers')
    .selectAll()
    .where('user_id', '=', userId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
}

/** Returns a deleted account, too. */
export function findAnyCustomer(db: Db, userId: string): Promise<Customer | undefined> {
  return db.selectFrom('customers').selectAll().where('user_id', '=', userId).executeTakeFirst();
}

/** Taken first by everything that changes what a user owes or may have. */
export async function lockCustomer(trx: Trx, userId: string): Promise<Customer | undefined> {
  return trx
    .selectFrom('customers')
    .selectAll()
    .where('user_id', '=', userId)
    .forUpdate()
    .executeTakeFirst();
}

export async function findUserByStripeCustomer(
  db: Db,
  stripeCustomerId: string,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('customers')
    .select('user_id')
    .where('stripe_customer_id', '=', stripeCustomerId)
    .executeTakeFirst();
  return row?.user_id;
}

/** Never overwrites, because a deleted signup must not return. A repeated signup may add the friend who referred it. */
export async function rememberCustomer(db: Db, facts: SignupFacts): Promise<void> {
  await db
    .insertInto('customers')
    .values({
      user_id: facts.user_id,
      email: facts.email,
      name: facts.name,
      timezone: facts.timezone,
      plan: facts.plan,
      email_hash: facts.email_hash,
      phone_hash: facts.phone_hash,
      referrer_user_id: facts.referrer_user_id,
      registered_at: new Date(facts.registered_at),
      country: facts.country ?? null,
    })
    .onConflict((conflict) =>
      conflict
        .column('user_id')
        .doUpdateSet({ referrer_user_id: facts.referrer_user_id })
        .where('customers.referrer_user_id', 'is', null)
        .where('customers.deleted_at', 'is', null),
    )
    .execute();
}

/** An email that the account lost to its owner is stored as empty: nothing is sent there. */
export async function storeContact(trx: Trx, contact: UserContact): Promise<void> {
  await trx
    .updateTable('customers')
    .set({
      name: contact.name,
      email: contact.email ?? '',
      email_proven: contact.email_proven,
      email_hash: contact.email_hash ?? '',
      phone_hash: contact.phone_hash ?? '',
      ...(contact.country !== undefined && { country: contact.country }),
      contact_version: contact.version,
    })
    .where('user_id', '=', contact.user_id)
    .execute();
}

/** Emails show dates in the subscriber's time zone, as the dashboard does. */
export async function storeTimeZone(
  trx: Trx,
  { user_id, version, timezone }: Pick<DeliverySettings, 'user_id' | 'version' | 'timezone'>,
): Promise<void> {
  await trx
    .updateTable('customers')
    .set({ timezone, settings_version: version })
    .where('user_id', '=', user_id)
    .where('settings_version', '<', version)
    .where('deleted_at', 'is', null)
    .execute();
}

/** The first id stored wins. Returns that one. */
export async function storeStripeCustomer(
  db: Trx,
  userId: string,
  stripeCustomerId: string,
): Promise<string> {
  await db
    .updateTable('customers')
    .set({ stripe_customer_id: stripeCustomerId })
    .where('user_id', '=', userId)
    .where('stripe_customer_id', 'is', null)
    .execute();
  const row = await db
    .selectFrom('customers')
    .select('stripe_customer_id')
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow();
  return row.stripe_customer_id ?? stripeCustomerId;
}

/** Stores the newest balance of a user at the provider. */
export async function storeBalance(
  db: Db,
  userId: string,
  balance: { cents: number; ticket: number },
): Promise<void> {
  await db
    .updateTable('customers')
    .set({ balance_cents: balance.cents, balance_ticket: balance.ticket })
    .where('user_id', '=', userId)
    .where('balance_ticket', '<', balance.ticket)
    .execute();
}

/** Forgets a customer that the provider no longer knows; the next checkout creates a new one. */
export async function forgetStripeCustomer(db: Db, stripeCustomerId: string): Promise<void> {
  await db
    .updateTable('customers')
    .set({
      stripe_customer_id: null,
      // Credit that isn't booked yet is in this currency.
      currency: sql`coalesce(currency, ${defaultCurrency})`,
    })
    .where('stripe_customer_id', '=', stripeCustomerId)
    .execute();
}

/** Stores the first payment after a trial. Returns false if it is already stored or there was no trial. */
export async function storeConversion(trx: Trx, userId: string, paidAt: Date): Promise<boolean> {
  const converted = await trx
    .updateTable('customers')
    .set({ converted_at: paidAt })
    .where('user_id', '=', userId)
    .where('converted_at', 'is', null)
    .where((where) =>
      where.exists(
        // Not from the subscription: one bought after a trial without a card has no trial itself.
        where.selectFrom('trial_uses').select('user_id').where('user_id', '=', userId),
      ),
    )
    .returning('user_id')
    .executeTakeFirst();
  return converted !== undefined;
}

/** The first one counts: free days of a paid subscription end like a trial. */
export async function storeTrialEnd(trx: Trx, userId: string, at: Date): Promise<void> {
  await trx
    .updateTable('customers')
    .set({ trial_ended_at: at })
    .where('user_id', '=', userId)
    .where('trial_ended_at', 'is', null)
    .where((where) =>
      where.exists(where.selectFrom('trial_uses').select('user_id').where('user_id', '=', userId)),
    )
    .execute();
}

export async function choosePlan(trx: Trx, userId: string, plan: Customer['plan']): Promise<void> {
  await trx.updateTable('customers').set({ plan }).where('user_id', '=', userId).execute();
}

/** Erases personal data and mails. The row stays for accounting, and keeps a late event from creating another. */
export async function eraseCustomer(trx: Trx, userId: string, now: Date): Promise<void> {
  await trx.deleteFrom('mails').where('user_id', '=', userId).execute();
  const erased = {
    email: '',
    name: '',
    timezone: 'UTC',
    email_hash: '',
    phone_hash: '',
    referrer_user_id: null,
    balance_cents: 0,
    deleted_at: now,
  };
  await trx
    .insertInto('customers')
    .values({ ...erased, user_id: userId, plan: defaultPlan, registered_at: now })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(erased))
    .execute();
}

/** Erases cards and the provider's error messages from every other table. */
export async function eraseTraces(trx: Trx, userId: string): Promise<void> {
  // Reasons and errors may name people.
  await trx
    .updateTable('staff_actions')
    .set({ reason: '', ip: '', error: null })
    .where('user_id', '=', userId)
    .execute();
  await trx.deleteFrom('cards').where('user_id', '=', userId).execute();
  await trx
    .updateTable('subscriptions')
    .set({
      card_brand: null,
      card_last4: null,
      trial_card: null,
      next_charge_at: null,
      next_charge_cents: null,
      next_charge_tax_cents: null,
    })
    .where('user_id', '=', userId)
    .execute();
  await trx
    .updateTable('referrals')
    .set({ card: null })
    .where('friend_user_id', '=', userId)
    .execute();
  await trx
    .updateTable('invoices')
    .set({ billed_to: null })
    .where('user_id', '=', userId)
    .execute();
  await trx.updateTable('checkouts').set({ url: null }).where('user_id', '=', userId).execute();
  await trx
    .updateTable('provider_tasks')
    .set({ error: null })
    .where((where) =>
      where.or([
        where('subject', '=', userId),
        where('subject', 'in', (query) =>
          query
            .selectFrom('customers')
            .select('stripe_customer_id')
            .where('user_id', '=', userId)
            .where('stripe_customer_id', 'is not', null)
            .$castTo<{ stripe_customer_id: string }>(),
        ),
        where('subject', 'in', (query) =>
          query
            .selectFrom('subscriptions')
            .select('stripe_subscription_id')
            .where('user_id', '=', userId),
        ),
        where('subject', 'in', (query) =>
          query
            .selectFrom('checkouts')
            .select('session_id')
            .where('user_id', '=', userId)
            .where('session_id', 'is not', null)
            .$castTo<{ session_id: string }>(),
        ),
        where('subject', 'in', (query) =>
          query.selectFrom('invoices').select('id').where('user_id', '=', userId),
        ),
        where('subject', 'in', (query) =>
          query
            .selectFrom('staff_actions')
            .select(sql<string>`id::text`.as('id'))
            .where('user_id', '=', userId),
        ),
      ]),
    )
    .execute();
}

export async function isConverted(trx: Trx, userId: string): Promise<boolean> {
  const paid = await trx
    .selectFrom('customers')
    .select('user_id')
    .where('user_id', '=', userId)
    .where('converted_at', 'is not', null)
    .executeTakeFirst();
  return paid !== undefined;
}
