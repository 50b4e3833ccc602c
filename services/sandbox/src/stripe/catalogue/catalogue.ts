import { endpoint, listed } from '../api/endpoint.ts';
import {
  boolean,
  currency,
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
import { nulls, type Plan, type Price, type Product } from '../state/objects.ts';

const recurring = {
  interval: oneOf('month', 'year'),
  interval_count: optional(integerBetween(1, 36)),
};

const productParams = { metadata: optional(metadata), name: text };

function createProduct(act: Act, input: Input<typeof productParams>): Product {
  const product: Product = {
    ...nulls('default_price description package_dimensions shippable statement_descriptor'),
    ...nulls('tax_code tax_details unit_label url'),
    id: newId('prod', 14),
    object: 'product',
    active: true,
    created: act.at,
    images: [],
    livemode: false,
    marketing_features: [],
    metadata: patchMetadata({}, input.metadata),
    name: input.name,
    type: 'service',
    updated: act.at,
  };
  act.tables.products.save(product);
  act.emit('product.created', product);
  return product;
}

const taxBehavior = oneOf('exclusive', 'inclusive');
const amount = integerBetween(0, 99_999_999);
const priceParams = {
  currency,
  lookup_key: optional(text),
  metadata: optional(metadata),
  nickname: optional(text),
  product: text,
  recurring: hash(recurring),
  tax_behavior: optional(taxBehavior),
  unit_amount: amount,
};

/** A price for one purchase, with its own product. */
export const inlinePrice = {
  currency,
  product_data: hash({ name: text }),
  tax_behavior: optional(taxBehavior),
  unit_amount: amount,
};

/** Adds a price. Its amount and interval never change. A lookup key names one price. */
function createPrice(act: Act, input: Input<typeof priceParams>): Price {
  const { lookup_key = null, unit_amount } = input;
  act.tables.products.refer(input.product, 'product');
  const [holder] = lookup_key === null ? [] : act.tables.prices.by('lookup_key', lookup_key);
  if (holder) {
    throw refused(`A price (\`${holder.id}\`) already uses that lookup key.`, {
      param: 'lookup_key',
    });
  }
  return addPrice(act, unit_amount, {
    active: true,
    currency: input.currency,
    lookup_key,
    metadata: patchMetadata({}, input.metadata),
    nickname: input.nickname ?? null,
    product: input.product,
    recurring: {
      ...nulls('meter trial_period_days'),
      interval: input.recurring.interval,
      interval_count: input.recurring.interval_count ?? 1,
      usage_type: 'licensed',
    },
    tax_behavior: input.tax_behavior ?? 'unspecified',
    type: 'recurring',
  });
}

/** Adds a one-time price. As at Stripe, it can't be used for another purchase. */
export function createInlinePrice(act: Act, input: Input<typeof inlinePrice>): Price {
  return addPrice(act, input.unit_amount, {
    active: false,
    currency: input.currency,
    lookup_key: null,
    metadata: {},
    nickname: null,
    product: createProduct(act, { name: input.product_data.name }).id,
    recurring: null,
    tax_behavior: input.tax_behavior ?? 'unspecified',
    type: 'one_time',
  });
}

type PriceFields =
  | 'active'
  | 'currency'
  | 'lookup_key'
  | 'metadata'
  | 'nickname'
  | 'product'
  | 'recurring'
  | 'tax_behavior'
  | 'type';

function addPrice(act: Act, unit_amount: number, fields: Pick<Price, PriceFields>): Price {
  const price: Price = {
    ...nulls('custom_unit_amount tiers_mode transform_quantity'),
    id: newId('price'),
    object: 'price',
    billing_scheme: 'per_unit',
    created: act.at,
    livemode: false,
    unit_amount,
    unit_amount_decimal: String(unit_amount),
    ...fields,
  };
  act.tables.prices.save(price);
  act.emit('price.created', price);
  return price;
}

/** Sets whether tax is added to a price. As at Stripe, only once. */
function updatePrice(act: Act, input: { tax_behavior: 'exclusive' | 'inclusive' }, id: string) {
  const price = act.tables.prices.get(id);
  if (price.tax_behavior !== 'unspecified')
    throw refused('The tax behavior of a price can only be set once.', { param: 'tax_behavior' });
  return amend(act, act.tables.prices, price, input, 'price.updated');
}

/** Returns the older form of a price, which subscription items still carry. */
export function planOf(price: Price): Plan {
  const { id, active, created, currency, metadata, nickname, product } = price;
  return {
    ...nulls('meter tiers_mode transform_usage trial_period_days'),
    ...{ id, active, created, currency, metadata, nickname, product },
    object: 'plan',
    amount: price.unit_amount,
    amount_decimal: price.unit_amount_decimal,
    billing_scheme: 'per_unit',
    interval: price.recurring!.interval,
    interval_count: price.recurring!.interval_count,
    livemode: false,
    usage_type: 'licensed',
  };
}

export const catalogueEndpoints = [
  endpoint('POST', '/v1/products', productParams, createProduct),
  endpoint('POST', '/v1/prices', priceParams, createPrice),
  endpoint('POST', '/v1/prices/:id', { tax_behavior: taxBehavior }, updatePrice),
  listed(
    '/v1/prices',
    (tables) => tables.prices,
    { active: optional(boolean), lookup_keys: optional(list(text)) },
    () => ({
      filters: {
        lookup_keys: (price: Price, keys: string[]) => keys.includes(price.lookup_key ?? ''),
      },
    }),
  ),
];
