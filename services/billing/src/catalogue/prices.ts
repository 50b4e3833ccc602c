import { type Currency, type PlanId, planIds } from '@daylift/contracts/plans';
import type { Logger } from '@daylift/server/logger';
import type { Loop } from '@daylift/server/loops';
import type Stripe from 'stripe';
import { idOf } from '../stripe-client.ts';
import type { Catalogue, Catalogues, Plan } from './catalogue.ts';

type PriceIds = Record<PlanId, string>;

export interface Prices {
  /** Returns the price id, looking it up if needed. Throws the provider's error. */
  find(plan: PlanId, currency: Currency): Promise<string>;
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

/** Creates the product and its prices at Stripe if missing; safe when several replicas start concurrently. */
export function createPrices(options: {
  stripe: Stripe;
  catalogues: Catalogues;
  /** The currencies of new customers. Prices in others are found or created when first needed. */
  sold: Currency[];
  productName: string;
  log: Logger;
}): Prices {
  const { stripe, catalogues, sold } = options;
  const known = new Map<Currency, PriceIds>();
  let lastLookup: Promise<unknown> = Promise.resolve();

  async function listByKey({ plans, currency }: Catalogue): Promise<Map<string, Stripe.Price>> {
    const keys = planIds.map((id) => lookupKeyOf(plans[id], currency));
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

  async function createPrice(plan: Plan, currency: Currency, product: string): Promise<string> {
    const lookupKey = lookupKeyOf(plan, currency);
    const price = await stripe.prices.create(
      {
        product,
        currency,
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

  async function ensure(catalogue: Catalogue): Promise<PriceIds> {
    const found = await listByKey(catalogue);
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
        found.get(lookupKeyOf(plan, catalogue.currency))?.id ??
        (await createPrice(plan, catalogue.currency, product))
      );
    };
    const ids: [PlanId, string][] = [];
    for (const id of planIds) ids.push([id, await priceOf(id)]);
    return Object.fromEntries(ids) as PriceIds;
  }

  /** Runs one lookup at a time, so each finds the product that the previous one created. */
  function lookUp(currency: Currency): Promise<PriceIds> {
    const found = lastLookup.then(async () => {
      const ids = known.get(currency) ?? (await ensure(catalogues[currency]));
      known.set(currency, ids);
      return ids;
    });
    lastLookup = found.catch(() => undefined);
    return found;
  }

  const unknown = () => sold.filter((currency) => !known.has(currency));

  return {
    find: async (plan, currency) => (known.get(currency) ?? (await lookUp(currency)))[plan],
    forget: () => known.clear(),
    check: async () => {
      if (unknown().length > 0) throw new Error('prices not loaded yet');
    },
    loop: {
      name: 'prices',
      everyMs: 1_000,
      async run() {
        // An unreachable provider is tried again at the next heartbeat; until then, the service isn't ready.
        const before = unknown();
        for (const currency of before)
          try {
            await lookUp(currency);
          } catch (error) {
            options.log.warn({ err: error, currency }, 'price lookup failed');
            break;
          }
        return before.length - unknown().length;
      },
      pending: async () => (unknown().length > 0 ? 1 : 0),
    },
  };
}
