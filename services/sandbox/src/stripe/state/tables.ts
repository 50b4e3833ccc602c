import { type Appointment, createAgenda } from './agenda.ts';
import type * as Api from './objects.ts';
import { type CollectionStore, openTable, type TableOptions } from './table.ts';

/** What only the sandbox knows of a customer. */
export interface CustomerHidden {
  deleted: boolean;
}
/** The test card behind a payment method: a key of the card table. */
export interface PaymentMethodHidden {
  behaviour: string;
}
export interface SubscriptionHidden {
  trial_will_end_sent: boolean;
}
export interface InvoiceHidden {
  /** When to try the payment again; also set where `next_payment_attempt` shows none (hard declines). */
  retry_at: number | null;
  /** How many of the configured retries are behind us. */
  retries_done: number;
  /** The card that was refused for good and is not asked again. */
  hopeless_payment_method: string | null;
}
/** The parameters that a Checkout session keeps for its completion. */
export interface SessionHidden {
  line_items: Api.CheckoutLineItem[];
  trial_period_days: number | null;
  trial_end: number | null;
  subscription_metadata: Record<string, string>;
  subscription_description: string | null;
  trial_settings: Api.Subscription['trial_settings'];
  /** The card that waits for the bank's confirmation. */
  pending_payment_method: string | null;
}
/** Ids of the webhook endpoints that an event goes to. */
export interface EventHidden {
  targets: string[];
}
export interface StoredEvent {
  id: string;
  object: 'event';
  api_version: string;
  created: number;
  data: { object: object; previous_attributes?: object };
  livemode: false;
  pending_webhooks: number;
  request: { id: string | null; idempotency_key: string | null };
  type: string;
}

/** Opens every table of the emulated account. */
export function openTables(store: CollectionStore) {
  const agenda = createAgenda();
  const open = <T extends { id: string }, H = null>(name: string, options: TableOptions<T, H>) =>
    openTable<T, H>(store, name, options, (table, id, at) => {
      if (at !== null) agenda.set({ table, id, at });
    });

  const tables = {
    customers: open<Api.Customer, CustomerHidden>('customers', {
      label: 'customer',
      indexes: { email: (customer) => customer.email },
    }),
    balanceEntries: open<Api.CustomerBalanceTransaction>('customer_balance_transactions', {
      label: 'customer balance transaction',
      indexes: { customer: (entry) => entry.customer, invoice: (entry) => entry.invoice },
    }),
    products: open<Api.Product>('products', { label: 'product' }),
    prices: open<Api.Price>('prices', {
      label: 'price',
      indexes: { product: (price) => price.product, lookup_key: (price) => price.lookup_key },
    }),
    paymentMethods: open<Api.PaymentMethod, PaymentMethodHidden>('payment_methods', {
      label: 'PaymentMethod',
      indexes: { customer: (method) => method.customer },
    }),
    paymentIntents: open<Api.PaymentIntent>('payment_intents', {
      label: 'payment_intent',
      indexes: { customer: (intent) => intent.customer },
    }),
    setupIntents: open<Api.SetupIntent>('setup_intents', {
      label: 'setupintent',
      indexes: { customer: (intent) => intent.customer },
    }),
    charges: open<Api.Charge>('charges', {
      label: 'charge',
      indexes: {
        customer: (charge) => charge.customer,
        payment_intent: (charge) => charge.payment_intent,
      },
    }),
    refunds: open<Api.Refund>('refunds', {
      label: 'refund',
      indexes: {
        charge: (refund) => refund.charge,
        payment_intent: (refund) => refund.payment_intent,
      },
    }),
    ledger: open<Api.BalanceTransaction>('balance_transactions', {
      label: 'balance transaction',
      indexes: { source: (entry) => entry.source, type: (entry) => entry.type },
    }),
    subscriptions: open<Api.Subscription, SubscriptionHidden>('subscriptions', {
      label: 'subscription',
      indexes: { customer: (subscription) => subscription.customer },
      due: subscriptionDue,
    }),
    invoices: open<Api.Invoice, InvoiceHidden>('invoices', {
      label: 'invoice',
      indexes: {
        customer: (invoice) => invoice.customer,
        subscription: (invoice) => invoice.parent?.subscription_details?.subscription ?? null,
      },
      due: (invoice, hidden) => {
        if (invoice.status === 'draft') return invoice.automatically_finalizes_at;
        return invoice.status === 'open' ? hidden.retry_at : null;
      },
    }),
    invoiceItems: open<Api.InvoiceItem>('invoice_items', {
      label: 'invoiceitem',
      indexes: {
        customer: (item) => item.customer,
        pending: (item) => (item.invoice === null ? item.customer : null),
      },
    }),
    invoicePayments: open<Api.InvoicePayment>('invoice_payments', {
      label: 'invoice_payment',
      indexes: {
        invoice: (payment) => payment.invoice,
        payment_intent: (payment) => payment.payment.payment_intent ?? null,
      },
    }),
    checkoutSessions: open<Api.CheckoutSession, SessionHidden>('checkout_sessions', {
      label: 'checkout.session',
      indexes: {
        customer: (session) => session.customer,
        subscription: (session) => session.subscription,
        payment_intent: (session) => session.payment_intent,
      },
      due: (session) => (session.status === 'open' ? session.expires_at : null),
    }),
    portalConfigurations: open<Api.PortalConfiguration>('portal_configurations', {
      label: 'configuration',
    }),
    portalSessions: open<Api.PortalSession>('portal_sessions', { label: 'portal session' }),
    webhookEndpoints: open<Api.WebhookEndpoint>('webhook_endpoints', { label: 'webhook endpoint' }),
    events: open<StoredEvent, EventHidden>('events', {
      label: 'event',
      indexes: { type: (event) => event.type },
    }),
  };

  const timed: Record<string, { dueAt(id: string): number | null }> = {
    checkout_sessions: tables.checkoutSessions,
    subscriptions: tables.subscriptions,
    invoices: tables.invoices,
  };
  const isCurrent = (due: Appointment) => timed[due.table]?.dueAt(due.id) === due.at;

  return {
    ...tables,
    /** What time will change next. */
    nextDue: (): Appointment | null => agenda.peek(isCurrent),
    /** Reads everything anew after the store was emptied. */
    reload() {
      agenda.clear();
      for (const table of Object.values(tables)) table.load();
    },
  };
}

export type Tables = ReturnType<typeof openTables>;

const DAY = 86_400;

/** How long a first payment may stay open before the subscription expires. */
const INCOMPLETE_SECONDS = 23 * 3600;

function subscriptionDue(subscription: Api.Subscription, hidden: SubscriptionHidden) {
  if (subscription.status === 'incomplete') return subscription.created + INCOMPLETE_SECONDS;
  if (!['trialing', 'active', 'past_due', 'unpaid'].includes(subscription.status)) return null;
  const periodEnd = subscription.items.data[0]!.current_period_end;
  const next = Math.min(periodEnd, subscription.cancel_at ?? periodEnd);
  const announced = subscription.status !== 'trialing' || hidden.trial_will_end_sent;
  return announced ? next : Math.min(next, subscription.trial_end! - 3 * DAY);
}
