import { readCounters } from '@daylift/database/counters';
import type { Kysely, Selectable, Transaction } from 'kysely';
import type { BillingDatabase, InvoicesTable, RefundsTable } from '../database.ts';

export type Invoice = Selectable<InvoicesTable>;
export type Refund = Selectable<RefundsTable>;

/** Returns false if a newer read was stored before. */
export async function putInvoice(
  trx: Transaction<BillingDatabase>,
  invoice: Invoice,
): Promise<boolean> {
  const written = await trx
    .insertInto('invoices')
    .values(invoice)
    .onConflict((conflict) =>
      conflict
        .column('id')
        .doUpdateSet(invoice)
        .where('invoices.read_ticket', '<', invoice.read_ticket),
    )
    .returning('id')
    .executeTakeFirst();
  return written !== undefined;
}

export async function putRefund(db: Kysely<BillingDatabase>, refund: Refund): Promise<void> {
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

/** Returns revenue minus refunds, in cents, and the number of payments, as in the provider's records. */
export async function sumRevenue(
  db: Kysely<BillingDatabase>,
  currency: string,
): Promise<{ total_cents: number; transactions: number }> {
  const counts = await readCounters(db, 'revenue.');
  const of = (name: string) => counts.get(`revenue.${name}.${currency}`) ?? 0;
  return { total_cents: of('paid_cents') - of('refunded_cents'), transactions: of('payments') };
}
