import { DueQueue } from '../../due-queue.ts';
import type { Store } from '../../store.ts';
import type * as Api from './objects.ts';
import { openTable, type TableOptions } from './table.ts';

interface InvoiceHidden {
  /** When to retry the payment; set even after a hard decline, for which `next_payment_attempt` is null. */
  retry_at: number | null;
  retries_done: number;
  /** The card that was declined for good and is not charged again. */
  declined_payment_method: string | null;
}
/** The parameters that a Checkout session keeps for its completion. */
export interface SessionHidden {
  line_item: Api.CheckoutLineItem;
  trial_period_days: number | null;
  /** Missing from sessions of an older version, as is `promotion`. */
  trial_end?: number;
  subscription_metadata: Record<string, string>;
  trial_settings: Api.Subscription['trial_settings'];
  promotion?: { coupon: string; code: string | null };
}
export interface StoredEvent {
  id: string;
  object: 'event';
  api_version: string;
  created: number;
  data: { object: object; previous_attributes?: object };
  livemode: false;
  /** 1 until the webhook is delivered. */
  pending_webhooks: number;
  request: { id: string | null; idempotency_key: string | null };
  type: string;
}

const byCustomer = {
  indexes: { customer: (object: { customer: string | null }) => object.customer },
};

/** Opens every table of the emulated account. */
export function openTables(store: Store) {
  type Timed = 'subscriptions' | 'invoices' | 'checkoutSessions';
  const agenda = new DueQueue<{ table: Timed; id: string }>();
  const open = <T extends { id: string }, H = null>(
    name: string,
    options: TableOptions<T, H>,
    timed?: Timed,
  ) =>
    openTable<T, H>(store, name, options, (id, at) => {
      if (timed) agenda.add(at, { table: timed, id });
    });

  const tables = {
    customers: open<Api.Customer, { deleted: boolean; tax_ids?: Api.TaxId[] }>('customers', {
      label: 'customer',
      indexes: { email: ({ email }) => email },
    }),
    balanceEntries: open<Api.CustomerBalanceTransaction>('customer_balance_transactions', {
      label: 'customer balance transaction',
      ...byCustomer,
    }),
    products: open<Api.Product>('products', { label: 'product' }),
    prices: open<Api.Price>('prices', {
      label: 'price',
      indexes: { lookup_key: (price) => price.lookup_key },
    }),
    coupons: open<Api.Coupon>('coupons', { label: 'coupon' }),
    promotionCodes: open<Api.PromotionCode>('promotion_codes', {
      label: 'promotion code',
      indexes: {
        code: ({ code }) => code,
        coupon: ({ promotion }) => promotion.coupon,
      },
    }),
    discounts: open<Api.Discount>('discounts', { label: 'discount' }),
    /** Hidden: a key of the test cards. */
    paymentMethods: open<Api.PaymentMethod, { behaviour: string }>('payment_methods', {
      label: 'PaymentMethod',
    }),
    paymentIntents: open<Api.PaymentIntent>('payment_intents', {
      label: 'payment_intent',
      ...byCustomer,
    }),
    charges: open<Api.Charge>('charges', { label: 'charge', ...byCustomer }),
    refunds: open<Api.Refund>('refunds', {
      label: 'refund',
      indexes: {
        charge: (refund) => refund.charge,
        payment_intent: (refund) => refund.payment_intent,
      },
    }),
    disputes: open<Api.Dispute>('disputes', {
      label: 'dispute',
      indexes: {
        charge: (dispute) => dispute.charge,
        payment_intent: (dispute) => dispute.payment_intent,
      },
    }),
    ledger: open<Api.BalanceTransaction>('balance_transactions', { label: 'balance transaction' }),
    subscriptions: open<Api.Subscription, { trial_will_end_sent: boolean }>(
      'subscriptions',
      { label: 'subscription', ...byCustomer, due: subscriptionDue },
      'subscriptions',
    ),
    invoices: open<Api.Invoice, InvoiceHidden>(
      'invoices',
      {
        label: 'invoice',
        indexes: {
          ...byCustomer.indexes,
          subscription: ({ parent }) => parent?.subscription_details?.subscription ?? null,
        },
        due: (invoice, hidden) => {
          if (invoice.status === 'draft') return invoice.automatically_finalizes_at;
          return invoice.status === 'open' ? hidden.retry_at : null;
        },
      },
      'invoices',
    ),
    invoicePayments: open<Api.InvoicePayment>('invoice_payments', {
      label: 'invoice_payment',
      indexes: { invoice: ({ invoice }) => invoice },
    }),
    checkoutSessions: open<Api.CheckoutSession, SessionHidden>(
      'checkout_sessions',
      {
        label: 'checkout.session',
        ...byCustomer,
        due: (session) => (session.status === 'open' ? session.expires_at : null),
      },
      'checkoutSessions',
    ),
    portalConfigurations: open<Api.PortalConfiguration>('portal_configurations', {
      label: 'configuration',
    }),
    portalSessions: open<Api.PortalSession>('portal_sessions', { label: 'portal session' }),
    /** Hidden: whether its webhook is still to be sent. */
    events: open<StoredEvent, { unsent: boolean }>('events', { label: 'event' }),
  };

  return {
    ...tables,
    /** Returns the next object that changes by the passing of time. */
    nextDue() {
      for (;;) {
        const next = agenda.peek();
        if (!next) return null;
        const { table, id } = next.value;
        if (tables[table].dueAt(id) === next.at) return { ...next.value, at: next.at };
        agenda.pop();
      }
    },
    /** Reads everything again after the store was emptied. */
    reload() {
      agenda.clear();
      for (const table of Object.values(tables)) table.load();
    },
  };
}

export type Tables = ReturnType<typeof openTables>;

const DAY = 86_400;

function subscriptionDue(
  subscription: Api.Subscription,
  hidden: { trial_will_end_sent: boolean },
): number | null {
  if (subscription.status === 'canceled') return null;
  const periodEnd = subscription.items.data[0]!.current_period_end;
  const next = Math.min(periodEnd, subscription.cancel_at ?? periodEnd);
  const announced = subscription.status !== 'trialing' || hidden.trial_will_end_sent;
  return announced ? next : Math.min(next, subscription.trial_end! - 3 * DAY);
}
