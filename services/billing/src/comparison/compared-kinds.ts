import type Stripe from 'stripe';
import type { Db } from '../database.ts';
import { readDispute } from '../disputes/provider-dispute.ts';
import { readInvoice } from '../invoices/provider-invoice.ts';
import type { TaskKind } from '../provider-tasks/provider-tasks.repository.ts';
import { idOf, nullIfMissing } from '../stripe-client.ts';
import { translateSubscription } from '../subscriptions/provider-subscription.ts';
import {
  type CopiedTable,
  findBalances,
  findCopies,
  findCreatedBetween,
  findKnownCustomers,
  findLiveBetween,
  findSubscriptionCopies,
  type Span,
} from './copies.repository.ts';

export interface Differences {
  /** To read and store again. */
  repair: string[];
  /** For an operator to decide, because no rule resolves them. */
  unclear: string[];
}

interface Listed {
  id: string;
  created: number;
}

export interface ComparedKind<T extends Listed = Listed> {
  list(
    stripe: Stripe,
    page: { limit: number; starting_after?: string; created: { lte: number } },
  ): Promise<{ data: T[]; has_more: boolean }>;
  retrieve(stripe: Stripe, id: string): Promise<unknown>;
  differences(db: Db, objects: T[]): Promise<Differences>;
  /** Returns our copies of objects that were created in this period. */
  ours?(db: Db, span: Span): Promise<string[]>;
  /** The task that stores an object again. */
  task: TaskKind;
}

const kindOf = <T extends Listed>(kind: ComparedKind<T>) => kind as unknown as ComparedKind;

export const isMissingThere = async (
  kind: ComparedKind,
  stripe: Stripe,
  id: string,
): Promise<boolean> => (await kind.retrieve(stripe, id).catch(nullIfMissing)) === null;

/** Compares fields of our copy by their JSON form. */
function differs(copy: object | undefined, read: object, fields: string[]): boolean {
  const part = (of: object) =>
    JSON.stringify(fields.map((name) => (of as Record<string, unknown>)[name] ?? null));
  return copy === undefined || part(copy) !== part(read);
}

async function differingRows(
  db: Db,
  table: CopiedTable,
  reads: { id: string }[],
  fields: string[],
): Promise<Differences> {
  const copies = await findCopies(db, table, idsOf(reads));
  const repair = reads.filter((read) => differs(copies.get(read.id), read, fields));
  return { repair: idsOf(repair), unclear: [] };
}

const idsOf = (objects: { id: string }[]): string[] => objects.map(({ id }) => id);

const createdBetween = (table: CopiedTable) => (db: Db, span: Span) =>
  findCreatedBetween(db, table, span);

/** An invoice without an attempt to charge it has no copy yet. */
const isSettled = ({ status, attempt_count }: Stripe.Invoice) =>
  status !== 'draft' && (status !== 'open' || attempt_count > 0);

const invoiceFields = [
  'status',
  'amount_paid_cents',
  'paid_elsewhere_cents',
  'attempt_count',
  'discount_cents',
  'tax_cents',
];

async function compareSubscriptions(
  db: Db,
  subscriptions: Stripe.Subscription[],
): Promise<Differences> {
  const reads = subscriptions.map(translateSubscription);
  const [copies, known] = await Promise.all([
    findSubscriptionCopies(db, idsOf(reads)),
    findKnownCustomers(db, {
      stripeCustomers: reads.map((read) => read.stripe_customer_id),
      users: reads.flatMap((read) => read.user_id ?? []),
    }),
  ]);
  const fields = [
    ...['status', 'cancel_at_period_end', 'current_period_end', 'price_cents'],
    ...['promotion_id', 'discount_cents', 'recurring_discount_cents'],
  ];
  const differing = reads.filter((read) => {
    const copy = copies.get(read.id);
    // An ended subscription's copy was replaced by its successor's.
    return copy === undefined ? read.is_live : differs(copy, read, fields);
  });
  const isKnown = (read: (typeof reads)[number]) =>
    known.has(read.stripe_customer_id) || (read.user_id !== null && known.has(read.user_id));
  return {
    repair: idsOf(differing.filter(isKnown)),
    unclear: idsOf(differing.filter((read) => !isKnown(read))),
  };
}

async function compareBalances(db: Db, customers: Stripe.Customer[]): Promise<Differences> {
  const balances = await findBalances(db, idsOf(customers));
  // A customer without an account is left over from an abandoned checkout.
  const repair = customers.filter(
    ({ id, balance }) => balances.has(id) && balances.get(id) !== balance,
  );
  return { repair: idsOf(repair), unclear: [] };
}

/** In the order of the comparison: later ones refer to earlier ones. */
export const comparedKinds: Readonly<Record<string, ComparedKind>> = {
  subscription: kindOf<Stripe.Subscription>({
    list: (stripe, page) =>
      stripe.subscriptions.list({
        ...page,
        status: 'all',
        expand: ['data.discounts.source.coupon'],
      }),
    retrieve: (stripe, id) => stripe.subscriptions.retrieve(id),
    differences: compareSubscriptions,
    ours: findLiveBetween,
    task: 'sync_subscription',
  }),
  invoice: kindOf<Stripe.Invoice>({
    list: (stripe, page) => stripe.invoices.list({ ...page, expand: ['data.payments'] }),
    retrieve: (stripe, id) => stripe.invoices.retrieve(id),
    differences: (db, invoices) =>
      differingRows(db, 'invoices', invoices.filter(isSettled).map(readInvoice), invoiceFields),
    ours: createdBetween('invoices'),
    task: 'sync_invoice',
  }),
  refund: kindOf<Stripe.Refund>({
    list: (stripe, page) => stripe.refunds.list(page),
    retrieve: (stripe, id) => stripe.refunds.retrieve(id),
    differences: (db, refunds) => {
      const reads = refunds.map((refund) => ({
        id: refund.id,
        status: refund.status ?? 'pending',
        amount_cents: refund.amount,
        payment_intent_id: idOf(refund.payment_intent),
      }));
      return differingRows(db, 'refunds', reads, ['status', 'amount_cents', 'payment_intent_id']);
    },
    ours: createdBetween('refunds'),
    task: 'sync_refund',
  }),
  dispute: kindOf<Stripe.Dispute>({
    list: (stripe, page) => stripe.disputes.list(page),
    retrieve: (stripe, id) => stripe.disputes.retrieve(id),
    differences: (db, disputes) =>
      differingRows(db, 'disputes', disputes.map(readDispute), [
        'state',
        'withdrawn_cents',
        'respond_by',
      ]),
    ours: createdBetween('disputes'),
    task: 'sync_dispute',
  }),
  customer: kindOf<Stripe.Customer>({
    list: (stripe, page) => stripe.customers.list(page),
    retrieve: (stripe, id) => stripe.customers.retrieve(id),
    differences: compareBalances,
    task: 'sync_customer',
  }),
};
