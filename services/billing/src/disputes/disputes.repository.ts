import { type Selectable, sql } from 'kysely';
import type { Db, DisputesTable, SubscriptionsTable, Trx } from '../database.ts';
import type { Subscription } from '../subscriptions/subscriptions.repository.ts';

export type Dispute = Selectable<DisputesTable>;

/** Returns false if a newer read was stored before. */
export async function putDispute(trx: Trx, dispute: Dispute): Promise<boolean> {
  const written = await trx
    .insertInto('disputes')
    .values(dispute)
    .onConflict((conflict) =>
      conflict
        .column('id')
        .doUpdateSet(dispute)
        .where('disputes.read_ticket', '<', dispute.read_ticket),
    )
    .returning('id')
    .executeTakeFirst();
  return written !== undefined;
}

export async function findPayer(db: Db, paymentIntentId: string): Promise<string | null> {
  const invoice = await db
    .selectFrom('invoices')
    .select('user_id')
    .where('payment_intent_id', '=', paymentIntentId)
    .executeTakeFirst();
  return invoice?.user_id ?? null;
}

export function findDisputes(
  db: Db,
  userId: string,
  { from, until, limit = 100 }: { from?: Date; until?: Date; limit?: number } = {},
): Promise<Dispute[]> {
  return db
    .selectFrom('invoices')
    .innerJoin('disputes', 'disputes.payment_intent_id', 'invoices.payment_intent_id')
    .selectAll('disputes')
    .where('invoices.user_id', '=', userId)
    .$if(until !== undefined, (query) => query.where('disputes.created_at', '<=', until!))
    .$if(from !== undefined, (query) => query.where('disputes.created_at', '>=', from!))
    .orderBy('disputes.created_at', 'desc')
    .orderBy('disputes.id')
    .limit(limit)
    .execute();
}

/** Returns disputes that wait for evidence, the most urgent first. */
export function listUnanswered(db: Db, limit: number) {
  return db
    .selectFrom('disputes')
    .leftJoin('invoices', 'invoices.payment_intent_id', 'disputes.payment_intent_id')
    .selectAll('disputes')
    .select('invoices.user_id')
    .where('respond_by', 'is not', null)
    .orderBy('respond_by')
    .orderBy('disputes.id')
    .limit(limit)
    .execute();
}

type Paid = Pick<Subscription, 'user_id' | 'stripe_subscription_id' | 'started_at'>;

/** Invoices of a subscription; older rows don't know theirs. */
const itsInvoices = ({ user_id, stripe_subscription_id, started_at }: Paid) => sql`
  invoices.user_id = ${user_id}
  and coalesce(stripe_subscription_id = ${stripe_subscription_id}, invoices.created_at >= ${started_at})`;

/** Returns why a subscription's payments give no access, or null if they do. */
export async function findHold(
  db: Db,
  subscription: Paid,
  refundEndsAccess: boolean,
): Promise<SubscriptionsTable['hold']> {
  const { rows } = await sql<{ lost: boolean; disputed: boolean; refunded: boolean }>`
    select
      coalesce(bool_or(state = 'lost'), false) as lost,
      coalesce(bool_or(state = 'open'), false) as disputed,
      -- The latest payment bought the present period.
      coalesce((
        select amount_paid_cents <= (
          select sum(amount_cents) from refunds
          where refunds.payment_intent_id = invoices.payment_intent_id
            and refunds.status in ('succeeded', 'pending'))
        from invoices
        where ${itsInvoices(subscription)} and amount_paid_cents > 0
        order by invoices.created_at desc limit 1), false) as refunded
    from disputes join invoices using (payment_intent_id)
    where ${itsInvoices(subscription)}`.execute(db);
  const found = rows[0]!;
  if (found.lost) return 'lost';
  if (found.disputed) return 'disputed';
  return refundEndsAccess && found.refunded ? 'refunded' : null;
}
