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
  line_items: Api.CheckoutLineItem[];
  trial_period_days: number | null;
  trial_end: number | null;
  subscription_metadata: Record<string, string>;
  trial_settings: Api.Subscription['trial_settings'];
  /** The card that waits for the bank's confirmation. */
  pending_payment_method: string | null;
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
export function openTables(store: Store) {
  type Timed = 'subscriptions' | 'invoices' | 'checkoutSessions';
  const agenda = new DueQueue<{ table: Timed; id: string }>();
  const open = <T extends { id: string }, H = null>(name: string, options: TableOptions<T, H>) =>
    openTable<T, H>(store, name, options, () => undefined);
  const openTimed = <T extends { id: string }, H>(
    table: Timed,
    name: string,
    options: TableOptions<T, H>,
  ) => openTable<T, H>(store, name, options, (id, at) => agenda.add(at, { table, id }));

  const tables = {
    customers: open<Api.Customer, { deleted: boolean }>('customers', {
      label: 'customer',
      fields: ['email'],
    }),
    balanceEntries: open<Api.CustomerBalanceTransaction>('customer_balance_transactions', {
      label: 'customer balance transaction',
      fields: ['customer'],
    }),
    products: open<Api.Product>('products', { label: 'product' }),
    prices: open<Api.Price>('prices', { label: 'price', fields: ['product', 'lookup_key'] }),
    /** Hidden: a key of the test cards. */
    paymentMethods: open<Api.PaymentMethod, { behaviour: string }>('payment_methods', {
      label: 'PaymentMethod',
      fields: ['customer'],
    }),
    paymentIntents: open<Api.PaymentIntent>('payment_intents', {
      label: 'payment_intent',
      fields: ['customer'],
    }),
    setupIntents: open<Api.SetupIntent>('setup_intents', {
      label: 'setupintent',
      fields: ['customer'],
    }),
    charges: open<Api.Charge>('charges', {
      label: 'charge',
      fields: ['customer', 'payment_intent'],
    }),
    refunds: open<Api.Refund>('refunds', {
      label: 'refund',
      fields: ['charge', 'payment_intent'],
    }),
    ledger: open<Api.BalanceTransaction>('balance_transactions', {
      label: 'balance transaction',
      fields: ['source', 'type'],
    }),
    subscriptions: openTimed<Api.Subscription, { trial_will_end_sent: boolean }>(
      'subscriptions',
      'subscriptions',
      { label: 'subscription', fields: ['customer'], due: subscriptionDue },
    ),
    invoices: openTimed<Api.Invoice, InvoiceHidden>('invoices', 'invoices', {
      label: 'invoice',
      fields: ['customer'],
      indexes: {
        subscription: ({ parent }) => parent?.subscription_details?.subscription ?? null,
      },
      due: (invoice, hidden) => {
        if (invoice.status === 'draft') return invoice.automatically_finalizes_at;
        return invoice.status === 'open' ? hidden.retry_at : null;
      },
    }),
    invoiceItems: open<Api.InvoiceItem>('invoice_items', {
      label: 'invoiceitem',
      indexes: { pending: (item) => (item.invoice === null ? item.customer : null) },
    }),
    invoicePayments: open<Api.InvoicePayment>('invoice_payments', {
      label: 'invoice_payment',
      fields: ['invoice'],
    }),
    checkoutSessions: openTimed<Api.CheckoutSession, SessionHidden>(
      'checkoutSessions',
      'checkout_sessions',
      {
        label: 'checkout.session',
        fields: ['customer', 'subscription'],
        due: (session) => (session.status === 'open' ? session.expires_at : null),
      },
    ),
    portalConfigurations: open<Api.PortalConfiguration>('portal_configurations', {
      label: 'configuration',
    }),
    portalSessions: open<Api.PortalSession>('portal_sessions', { label: 'portal session' }),
    webhookEndpoints: open<Api.WebhookEndpoint>('webhook_endpoints', { label: 'webhook endpoint' }),
    /** Hidden: ids of the webhook endpoints that it goes to. */
    events: open<StoredEvent, { targets: string[] }>('events', {
      label: 'event',
      fields: ['type'],
    }),
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

/** How long a first payment can stay open before the subscription expires. */
const INCOMPLETE_SECONDS = 23 * 3600;

function subscriptionDue(
  subscription: Api.Subscription,
  hidden: { trial_will_end_sent: boolean },
): number | null {
  if (subscription.status === 'incomplete') return subscription.created + INCOMPLETE_SECONDS;
  if (!['trialing', 'active', 'past_due', 'unpaid'].includes(subscription.status)) return null;
  const periodEnd = subscription.items.data[0]!.current_period_end;
  const next = Math.min(periodEnd, subscription.cancel_at ?? periodEnd);
  const announced = subscription.status !== 'trialing' || hidden.trial_will_end_sent;
  return announced ? next : Math.min(next, subscription.trial_end! - 3 * DAY);
}
