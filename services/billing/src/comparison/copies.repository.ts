import type { Db } from '../database.ts';

export type CopiedTable = 'invoices' | 'refunds' | 'disputes';

export async function findCopies(
  db: Db,
  table: CopiedTable,
  ids: string[],
): Promise<Map<string, object>> {
  if (ids.length === 0) return new Map();
  const rows = await db.selectFrom(table).selectAll().where('id', 'in', ids).execute();
  return new Map(rows.map((row) => [row.id, row]));
}

export interface Span {
  from: Date;
  until: Date;
  /** The provider has these. */
  except: string[];
  limit: number;
}

export async function findCreatedBetween(
  db: Db,
  table: CopiedTable,
  { from, until, except, limit }: Span,
): Promise<string[]> {
  const rows = await db
    .selectFrom(table)
    .select('id')
    .where('created_at', '>=', from)
    .where('created_at', '<=', until)
    .where('id', 'not in', ['', ...except])
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

export async function findSubscriptionCopies(db: Db, ids: string[]): Promise<Map<string, object>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom('subscriptions')
    .selectAll()
    .where('stripe_subscription_id', 'in', ids)
    .execute();
  return new Map(rows.map((row) => [row.stripe_subscription_id ?? '', row]));
}

/** Returns live subscriptions that started in this period. */
export async function findLiveBetween(
  db: Db,
  { from, until, except, limit }: Span,
): Promise<string[]> {
  const rows = await db
    .selectFrom('subscriptions')
    .select('stripe_subscription_id')
    .where('is_live', '=', true)
    .where('started_at', '>=', from)
    .where('started_at', '<=', until)
    .where('stripe_subscription_id', 'not in', ['', ...except])
    .limit(limit)
    .execute();
  return rows.flatMap((row) => row.stripe_subscription_id ?? []);
}

/** Returns those of the provider's customers and of our users that exist here. */
export async function findKnownCustomers(
  db: Db,
  { stripeCustomers, users }: { stripeCustomers: string[]; users: string[] },
): Promise<Set<string | null>> {
  if (stripeCustomers.length === 0) return new Set();
  const rows = await db
    .selectFrom('customers')
    .select(['user_id', 'stripe_customer_id'])
    .where((where) =>
      where.or([
        where('stripe_customer_id', 'in', stripeCustomers),
        ...(users.length > 0 ? [where('user_id', 'in', users)] : []),
      ]),
    )
    .execute();
  return new Set(rows.flatMap((row) => [row.user_id, row.stripe_customer_id]));
}

export async function findBalances(
  db: Db,
  stripeCustomers: string[],
): Promise<Map<string | null, number>> {
  if (stripeCustomers.length === 0) return new Map();
  const rows = await db
    .selectFrom('customers')
    .select(['stripe_customer_id', 'balance_cents'])
    .where('stripe_customer_id', 'in', stripeCustomers)
    .where('deleted_at', 'is', null)
    .execute();
  return new Map(rows.map((row) => [row.stripe_customer_id, row.balance_cents]));
}
