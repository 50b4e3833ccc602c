import { endpoint, reads } from '../api/endpoint.ts';
import {
  boolean,
  currency,
  emptyable,
  hash,
  type Input,
  integerBetween,
  list,
  metadata,
  oneOf,
  optional,
  patchMetadata,
  text,
} from '../api/params.ts';
import { refused } from '../api/stripe-error.ts';
import { type Act, amend } from '../state/act.ts';
import { newId } from '../state/ids.ts';
import { nulls, type Plan, type Price } from '../state/objects.ts';

const interval = oneOf('day', 'week', 'month', 'year');
export type Interval = (typeof interval)['enum'][number];

const shared = {
  active: optional(boolean),
  metadata: optional(metadata),
  nickname: optional(text),
  transfer_lookup_key: optional(boolean),
};
const createParams = {
  ...shared,
  currency,
  lookup_key: optional(text),
  product: text,
  recurring: optional(hash({ interval, interval_count: optional(integerBetween(1, 1095)) })),
  unit_amount: integerBetween(0, 99_999_999),
};

/** Adds a price, whose amount and interval never change afterwards. */
function createPrice(act: Act, input: Input<typeof createParams>): Price {
  const { recurring, unit_amount } = input;
  act.tables.products.refer(input.product, 'product');
  const price: Price = {
    ...nulls('custom_unit_amount tiers_mode transform_quantity'),
    id: newId('price'),
    object: 'price',
    active: input.active ?? true,
    billing_scheme: 'per_unit',
    created: act.at,
    currency: input.currency,
    livemode: false,
    lookup_key: claimLookupKey(act, input.lookup_key ?? null, input.transfer_lookup_key ?? false),
    metadata: patchMetadata({}, input.metadata),
    nickname: input.nickname ?? null,
    product: input.product,
    recurring: recurring
      ? {
          ...nulls('meter trial_period_days'),
          interval: recurring.interval,
          interval_count: recurring.interval_count ?? 1,
          usage_type: 'licensed',
        }
      : null,
    tax_behavior: 'unspecified',
    type: recurring ? 'recurring' : 'one_time',
    unit_amount,
    unit_amount_decimal: String(unit_amount),
  };
  act.tables.prices.save(price);
  act.emit('price.created', price);
  return price;
}

/** A lookup key names one price; it moves to another only on request. */
function claimLookupKey(act: Act, key: string | null, transfer: boolean): string | null {
  for (const holder of key === null ? [] : act.tables.prices.by('lookup_key', key)) {
    if (!transfer) {
      throw refused(
        `A price (\`${holder.id}\`) already uses that lookup key. Use \`transfer_lookup_key=true\` to move it.`,
        { param: 'lookup_key' },
      );
    }
    amend(act, act.tables.prices, holder, { lookup_key: null }, 'price.updated');
  }
  return key;
}

/** Returns the older form of a price, which subscription items still carry. */
export function planOf(price: Price): Plan {
  const { id, active, created, currency, metadata, nickname, product, recurring } = price;
  return {
    ...nulls('meter tiers_mode transform_usage trial_period_days'),
    ...{ id, active, created, currency, metadata, nickname, product },
    object: 'plan',
    amount: price.unit_amount,
    amount_decimal: price.unit_amount_decimal,
    billing_scheme: 'per_unit',
    interval: recurring!.interval,
    interval_count: recurring!.interval_count,
    livemode: false,
    usage_type: 'licensed',
  };
}

/** Returns the price that a parameter names, which must be active. */
export function referPrice(act: Act, id: string, param: string): Price {
  const price = act.tables.prices.refer(id, param);
  if (price.active) return price;
  throw refused('The price specified is inactive. This field only accepts active prices.', {
    param,
  });
}

const filters = {
  active: optional(boolean),
  lookup_keys: optional(list(text)),
  product: optional(text),
};

export const priceEndpoints = [
  endpoint('POST', '/v1/prices', createParams, createPrice),
  endpoint(
    'POST',
    '/v1/prices/:id',
    { ...shared, lookup_key: optional(emptyable(text)) },
    (act, { lookup_key, transfer_lookup_key = false, metadata: patch, ...fields }, id) => {
      const price = act.tables.prices.get(id);
      const key =
        lookup_key === undefined || lookup_key === price.lookup_key
          ? price.lookup_key
          : claimLookupKey(act, lookup_key, transfer_lookup_key);
      return amend(
        act,
        act.tables.prices,
        price,
        { ...fields, lookup_key: key, metadata: patchMetadata(price.metadata, patch) },
        'price.updated',
      );
    },
  ),
  ...reads(
    '/v1/prices',
    (tables) => tables.prices,
    filters,
    () => ({
      filters: {
        lookup_keys: (price: Price, keys: string[]) => keys.includes(price.lookup_key ?? ''),
      },
    }),
  ),
];
