import { eventually } from '@daylift/testing/eventually';
import Stripe from 'stripe';
import { startTestSandbox, type TestSandbox } from './harness.ts';

export const WEBHOOK_SECRET = 'whsec_sandbox';
export const DAY = 86_400;

/** A shop with one plan and its own sandbox. */
export interface Shop {
  test: TestSandbox;
  stripe: Stripe;
  monthly: Stripe.Price;
  yearly: Stripe.Price;
  /** Product time, unix seconds. */
  now(): number;
  advance(seconds: number): Promise<void>;
  /** Opens a checkout, by default with a three-day trial. */
  checkout(
    params?: Partial<Stripe.Checkout.SessionCreateParams> & { trial_days?: number | null },
  ): Promise<Stripe.Checkout.Session>;
  /** Completes the page through the control call. */
  complete(
    session: string,
    body?: object,
  ): Promise<{ status: number; body: Record<string, string | null> }>;
  /** A customer with a running subscription. */
  subscriber(options?: {
    card?: string;
    trial_days?: number | null;
    price?: string;
    customer?: string;
  }): Promise<{ session: Stripe.Checkout.Session; customer: string; subscription: string }>;
  /** Returns the card that a subscription is charged to. */
  cardOf(subscription: string): Promise<Stripe.PaymentMethod.Card>;
  /** Returns the types of webhooks received so far, or of those about one object. */
  hookTypes(objectId?: string): string[];
  hook(type: string, matches?: (object: Record<string, unknown>) => boolean): Promise<Stripe.Event>;
  close(): Promise<void>;
}

export function stripeClient(address: string, options: Partial<Stripe.StripeConfig> = {}): Stripe {
  const { hostname, port } = new URL(address);
  return new Stripe('sk_test_sandbox', {
    host: hostname,
    port,
    protocol: 'http',
    telemetry: false,
    ...options,
  });
}

export async function openShop(overrides: Record<string, string> = {}): Promise<Shop> {
  const test = await startTestSandbox(overrides);
  const stripe = stripeClient(test.sandbox.address);
  const product = await stripe.products.create({ name: 'Daily texts' });
  const price = (unit_amount: number, interval: 'month' | 'year') =>
    stripe.prices.create({
      currency: 'usd',
      unit_amount,
      recurring: { interval },
      product: product.id,
      lookup_key: interval,
    });
  const monthly = await price(499, 'month');
  const yearly = await price(4999, 'year');
  const { clock } = test.sandbox.deps;

  const shop: Shop = {
    test,
    stripe,
    monthly,
    yearly,
    now: () => Math.floor(clock.now().getTime() / 1000),
    advance: async (seconds) => {
      await clock.moveTo(new Date(clock.now().getTime() + seconds * 1000));
      await clock.runEngines();
    },
    checkout: async ({ trial_days = 3, ...params } = {}) =>
      stripe.checkout.sessions.create({
        mode: 'subscription',
        line_items: [{ price: monthly.id, quantity: 1 }],
        success_url: `${test.receiver.url}/success?session_id={CHECKOUT_SESSION_ID}`,
        cancel_url: `${test.receiver.url}/signup`,
        ...('customer' in params
          ? {}
          : { customer: (await stripe.customers.create({ email: 'ada@example.com' })).id }),
        ...(trial_days === null
          ? {}
          : {
              subscription_data: {
                trial_period_days: trial_days,
                metadata: { user_id: 'u1' },
                trial_settings: { end_behavior: { missing_payment_method: 'cancel' } },
              },
            }),
        ...params,
      }),
    complete: (session, body = {}) => test.post(`/sandbox/checkout/${session}/complete`, body),
    subscriber: async ({ card, trial_days = 3, price: bought, customer } = {}) => {
      const session = await shop.checkout({
        trial_days,
        ...(bought ? { line_items: [{ price: bought, quantity: 1 }] } : {}),
        ...(customer ? { customer } : {}),
      });
      const { status, body } = await shop.complete(session.id, card ? { card } : {});
      if (status !== 200) throw new Error(JSON.stringify(body));
      const done = await stripe.checkout.sessions.retrieve(session.id);
      return {
        session: done,
        customer: done.customer as string,
        subscription: done.subscription as string,
      };
    },
    cardOf: async (subscription) => {
      const expand = ['default_payment_method'];
      const found = await stripe.subscriptions.retrieve(subscription, { expand });
      return (found.default_payment_method as Stripe.PaymentMethod).card!;
    },
    hookTypes: (objectId) =>
      test.receiver.hooks
        .map((each) => JSON.parse(each.rawBody) as Stripe.Event)
        .filter((event) => {
          const object = event.data.object as { id: string; subscription?: unknown };
          return objectId === undefined || object.id === objectId;
        })
        .map((event) => event.type),
    hook: async (type, matches = () => true) => {
      const found = await eventually(
        () =>
          test.receiver.hooks.find((each) => {
            const event = JSON.parse(each.rawBody) as Stripe.Event;
            return event.type === type && matches(event.data.object as never);
          }),
        { what: `the webhook ${type}` },
      );
      const header = found.headers['stripe-signature'] as string;
      return stripe.webhooks.constructEvent(found.rawBody, header, WEBHOOK_SECRET);
    },
    close: () => test.close(),
  };
  return shop;
}
