import { type PlanId, planIds } from '@daylift/contracts/plans';
import type { Logger } from '@daylift/server/logger';
import type { Loop } from '@daylift/server/loops';
import type Stripe from 'stripe';
import { idOf } from '../stripe-client.ts';
import type { Catalogue, Plan } from './catalogue.ts';

export interface Prices {
  /** Returns the price id, looking it up if needed. Throws the provider's error. */
  find(plan: PlanId): Promise<string>;
  /** Drops all known prices, because the provider no longer knows one. */
  forget(): void;
  /** Readiness check: throws while a price is unknown. */
  check(): Promise<void>;
  loop: Loop;
}

/** Includes the amount, because a Stripe price is immutable: another amount is another price. */
function lookupKeyOf(plan: Plan, currency: string): string {
  return `${plan.id}_${plan.price_cents}_${currency}`;
}

const recurringOf = ({ months }: Plan): { interval: 'month' | 'year'; interval_count: number } =>
  months % 12 === 0
    ? { interval: 'year', interval_count: months / 12 }
    : { interval: 'month', interval_count: months };

/** Creates the product and its prices at Stripe if missing; safe when several replicas start at once. */
export function createPrices(options: {
  stripe: Stripe;
  catalogue: Catalogue;
  productName: string;
  log: Logger;
}): Prices {
  const { stripe, catalogue } = options;
  let known: Record<PlanId, string> | null = null;
  let looking: Promise<Record<PlanId, string>> | null = null;

  async function listByKey(): Promise<Map<string, Stripe.Price>> {
    const keys = planIds.map((id) => lookupKeyOf(catalogue.plans[id], catalogue.currency));
    const { data } = await stripe.prices.list({ lookup_keys: keys, active: true });
    return new Map(data.map((price) => [price.lookup_key ?? '', price]));
  }

  /** Returns the product of earlier prices. */
  async function findProduct(): Promise<string | null> {
    for await (const { lookup_key, product } of stripe.prices.list({ active: true, limit: 100 }))
      if (planIds.some((id) => lookup_key?.startsWith(`${id}_`))) return idOf(product);
    return null;
  }

  async function createProduct(): Promise<string> {
    const product = await stripe.products.create(
      { name: options.productName },
      { idempotencyKey: `product:${options.productName}` },
    );
    return product.id;
  }

  async function createPrice(plan: Plan, product: string): Promise<string> {
    const lookupKey = lookupKeyOf(plan, catalogue.currency);
    const price = await stripe.prices.create(
      {
        product,
        currency: catalogue.currency,
        unit_amount: plan.price_cents,
        recurring: recurringOf(plan),
        lookup_key: lookupKey,
        nickname: plan.name,
        // Applies only to taxed subscriptions, and can't be left open for them.
        tax_behavior: 'exclusive',
      },
      { idempotencyKey: `price:${lookupKey}:${product}:exclusive` },
    );
    return price.id;
  }

  async function ensure(): Promise<Record<PlanId, string>> {
    const found = await listByKey();
    // Earlier versions left it unspecified.
    for (const price of found.values())
      if (price.tax_behavior === 'unspecified')
        await stripe.prices.update(price.id, { tax_behavior: 'exclusive' });
    const product =
      idOf(found.values().next().value?.product) ??
      (await findProduct()) ??
      (await createProduct());
    const priceOf = async (id: PlanId) => {
      const plan = catalogue.plans[id];
      return (
        found.get(lookupKeyOf(plan, catalogue.currency))?.id ?? (await createPrice(plan, product))
      );
    };
    const ids: [PlanId, string][] = [];
    for (const id of planIds) ids.push([id, await priceOf(id)]);
    return Object.fromEntries(ids) as Record<PlanId, string>;
  }

  function lookUp(): Promise<Record<PlanId, string>> {
    looking ??= ensure().finally(() => {
      looking = null;
    });
    return looking;
  }

  return {
    async find(plan) {
      known ??= await lookUp();
      return known[plan];
    },
    forget: () => {
      known = null;
    },
    check: async () => {
      if (known === null) throw new Error('the prices are not known yet');
    },
    loop: {
      name: 'prices',
      everyMs: 1_000,
      async run() {
        if (known !== null) return 0;
        // An unreachable provider is tried again at the next heartbeat; meanwhile the service isn't ready.
        known = await lookUp().catch((error: unknown) => {
          options.log.warn({ err: error }, 'price lookup failed');
          return null;
        });
        return known === null ? 0 : 1;
      },
      pending: async () => (known === null ? 1 : 0),
    },
  };
}
