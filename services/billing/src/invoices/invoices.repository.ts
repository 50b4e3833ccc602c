import { readCounters } from '@daylift/database/counters';
import { type Selectable, sql } from 'kysely';
import type { Db, InvoicesTable, RefundsTable, Trx } from '../database.ts';

export type Invoice = Selectable<InvoicesTable>;
export type Refund = Selectable<RefundsTable>;

/** Returns false if a newer read was stored before. */
export async function putInvoice(trx: Trx, invoice: Invoice): Promise<boolean> {
  const written = await trx
    .insertInto('invoices')
    .values(invoice)
    .onConflict((conflict) =>
      conflict
        .column('id')
        .doUpdateSet({
          ...invoice,
          first_failed_at: sql`coalesce(invoices.first_failed_at, excluded.first_failed_at)`,
        })
        .where('invoices.read_ticket', '<', invoice.read_ticket),
    )
    .returning('id')
    .executeTakeFirst();
  return written !== undefined;
}

export async function findInvoiceStatus(db: Db, id: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('invoices')
    .select('status')
    .where('id', '=', id)
    .executeTakeFirst();
  return row?.status;
}

/** Returns whether the user has this invoice. */
export async function hasInvoice(db: Db, userId: string, id: string): Promise<boolean> {
  const row = await db
    .selectFrom('invoices')
    .select('id')
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return row !== undefined;
}

/** Returns whether an invoice that asked for money was paid, of any subscription or this one. */
export async function hasPaidInvoice(
  db: Db,
  userId: string,
  stripeSubscriptionId?: string,
): Promise<boolean> {
  const row = await db
    .selectFrom('invoices')
    .select('id')
    .where(({ and }) =>
      and({
        user_id: userId,
        status: 'paid',
        ...(stripeSubscriptionId !== undefined && { stripe_subscription_id: stripeSubscriptionId }),
      }),
    )
    .where('total_cents', '>', 0)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

export async function putRefund(db: Db, refund: Refund): Promise<void> {
  await db
    .insertInto('refunds')
    .values(refund)
    .onConflict((conflict) =>
      conflict
        .column('id')
        .doUpdateSet(refund)
        .where('refunds.read_ticket', '<', refund.read_ticket),
    )
    .execute();
}

/** Returns whether refunds return everything that was paid for an invoice. */
export async function isFullyRefunded(db: Db, id: string): Promise<boolean> {
  const row = await db
    .selectFrom('invoices')
    .innerJoin('refunds', 'refunds.payment_intent_id', 'invoices.payment_intent_id')
    .select('invoices.id')
    .where('invoices.id', '=', id)
    .where('refunds.status', 'in', ['succeeded', 'pending'])
    .groupBy(['invoices.id', 'invoices.amount_paid_cents'])
    .having((having) =>
      having(having.fn.sum('refunds.amount_cents'), '>=', having.ref('invoices.amount_paid_cents')),
    )
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Returns revenue minus refunds and disputed money by currency, in cents, and the number of payments, as in the
 * provider's records.
 */
export async function sumRevenue(
  db: Db,
): Promise<{ currency: string; total_cents: number; transactions: number }[]> {
  const counts = await readCounters(db, 'revenue.');
  const found = new Set([...counts.keys()].map((name) => name.split('.')[2] ?? ''));
  return [...found].sort().map((currency) => {
    const of = (name: string) => counts.get(`revenue.${name}.${currency}`) ?? 0;
    const total_cents = of('paid_cents') - of('refunded_cents') - of('disputed_cents');
    return { currency, total_cents, transactions: of('payments') };
  });
}

/** Matches nothing if `id` isn't one of the user's invoices. */
const isOlderThan = (userId: string, id: string) =>
  sql<boolean>`(invoices.created_at, invoices.id) < (
    select created_at, id from invoices one where one.id = ${id} and one.user_id = ${userId})`;

export interface RefundedInvoice extends Invoice {
  refunded_cents: number;
  dispute: 'open' | 'lost' | null;
}

export async function findNonzeroInvoices(
  db: Db,
  userId: string,
  { statuses, limit, before }: { statuses: string[]; limit: number; before?: string | undefined },
): Promise<RefundedInvoice[]> {
  const rows = await db
    .selectFrom('invoices')
    .selectAll()
    .select((select) =>
      select
        .selectFrom('refunds')
        .select(sql<number>`coalesce(sum(refunds.amount_cents), 0)::integer`.as('cents'))
        .whereRef('refunds.payment_intent_id', '=', 'invoices.payment_intent_id')
        .where('refunds.status', 'in', ['succeeded', 'pending'])
        .as('refunded_cents'),
    )
    .select((select) =>
      select
        .selectFrom('disputes')
        .select((dispute) => dispute.fn.max('state').as('state'))
        .whereRef('disputes.payment_intent_id', '=', 'invoices.payment_intent_id')
        .where('disputes.state', 'in', ['open', 'lost'])
        .$castTo<{ state: 'open' | 'lost' | null }>()
        .as('dispute'),
    )
    .where('user_id', '=', userId)
    .where('status', 'in', statuses)
    .where((where) => where(where.fn.coalesce('total_cents', 'amount_due_cents'), '!=', 0))
    .$if(before !== undefined, (query) => query.where(isOlderThan(userId, before ?? '')))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
  return rows.map((row) => ({ ...row, refunded_cents: row.refunded_cents ?? 0 }));
}
