import type { UserInvoice } from '@daylift/contracts/billing.http';
import { type Kysely, sql } from 'kysely';
import type { BillingDatabase } from '../database.ts';
import type { Invoice } from './invoices.repository.ts';

type Row = Invoice & { refunded_cents: number };

const statuses: Record<string, UserInvoice['status']> = {
  paid: 'paid',
  open: 'open',
  uncollectible: 'open',
  void: 'void',
};

/** Returns a user's invoices, newest first, without drafts and the $0 invoice of a trial. */
export async function listUserInvoices(
  db: Kysely<BillingDatabase>,
  userId: string,
  limit: number,
): Promise<UserInvoice[]> {
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
    .where('user_id', '=', userId)
    .where('status', 'in', Object.keys(statuses))
    .where((where) => where(where.fn.coalesce('total_cents', 'amount_due_cents'), '!=', 0))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
  return rows.map((row) => translate({ ...row, refunded_cents: row.refunded_cents ?? 0 }));
}

function translate(row: Row): UserInvoice {
  const isRefunded = row.amount_paid_cents > 0 && row.refunded_cents >= row.amount_paid_cents;
  return {
    id: row.id,
    issued_at: row.created_at.toISOString(),
    amount_cents: amountOf(row),
    refunded_cents: row.refunded_cents,
    currency: row.currency,
    status: isRefunded ? 'refunded' : (statuses[row.status] ?? 'open'),
  };
}

/** Returns the amount paid or due; negative for an invoice that only gives credit. */
function amountOf({ status, total_cents, amount_paid_cents, amount_due_cents }: Row): number {
  if (total_cents !== null && total_cents < 0) return total_cents;
  return status === 'paid' ? amount_paid_cents : amount_due_cents;
}
