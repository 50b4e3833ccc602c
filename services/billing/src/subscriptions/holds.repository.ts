import { sql } from 'kysely';
import type { Db, SubscriptionsTable } from '../database.ts';
import type { Subscription } from './subscriptions.repository.ts';

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
      -- A subscription paid since then continued without us, so it isn't ended later.
      coalesce(bool_or(state = 'lost' and not exists (
        select from invoices
        where ${itsInvoices(subscription)} and amount_paid_cents > 0
          and coalesce(paid_at, invoices.created_at) > disputes.created_at)), false) as lost,
      coalesce(bool_or(state = 'open'), false) as disputed,
      -- The latest payment bought the present period, perhaps with credit.
      coalesce((
        select amount_paid_cents <= (
          select sum(amount_cents) from refunds
          where refunds.payment_intent_id = invoices.payment_intent_id
            and refunds.status in ('succeeded', 'pending'))
        from invoices
        where ${itsInvoices(subscription)} and status = 'paid' and coalesce(total_cents, amount_due_cents) > 0
        order by invoices.created_at desc limit 1), false) as refunded
    from disputes join invoices using (payment_intent_id)
    where ${itsInvoices(subscription)}`.execute(db);
  const found = rows[0]!;
  if (found.lost) return 'lost';
  if (found.disputed) return 'disputed';
  return refundEndsAccess && found.refunded ? 'refunded' : null;
}
