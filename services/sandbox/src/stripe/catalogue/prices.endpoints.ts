import { endpoint } from '../api/endpoint.ts';
import { page } from '../api/list.ts';
import { demand, refer } from '../api/lookup.ts';
import {
  boolean,
  currency,
  emptyable,
  hash,
  integerBetween,
  list,
  listParams,
  metadata,
  oneOf,
  patchMetadata,
  required,
  text,
  timeRange,
  type Values,
} from '../api/params.ts';
import { invalidRequest } from '../api/stripe-error.ts';
import { type Act, amend } from '../state/act.ts';
import type { Price } from '../state/objects.ts';
import { createPrice, recurring, takeLookupKey } from './prices.ts';
import { createProduct } from './products.ts';

const taxBehavior = oneOf('exclusive', 'inclusive', 'unspecified');
const shared = {
  active: boolean,
  lookup_key: text,
  metadata,
  nickname: text,
  tax_behavior: taxBehavior,
  transfer_lookup_key: boolean,
};
const productData = { id: text, name: required(text), active: boolean, metadata };
const createParams = {
  ...shared,
  billing_scheme: oneOf('per_unit'),
  currency: required(currency),
  product: text,
  product_data: hash(productData),
  recurring: hash(recurring),
  unit_amount: integerBetween(0, 99_999_999),
  unit_amount_decimal: text,
};
const updateParams = { ...shared, lookup_key: emptyable(text) };
const filterParams = {
  ...listParams,
  active: boolean,
  created: timeRange,
  currency,
  lookup_keys: list(text),
  product: text,
  recurring: hash({ interval: recurring.interval, usage_type: oneOf('licensed') }),
  type: oneOf('one_time', 'recurring'),
};

function create(act: Act, input: Values<typeof createParams>): Price {
  const { product_data, product, unit_amount, unit_amount_decimal, ...fields } = input;
  if (Boolean(product) === Boolean(product_data)) {
    throw invalidRequest('You must specify exactly one of `product` and `product_data`.', {
      code: product ? 'parameters_exclusive' : 'parameter_missing',
      param: 'product',
    });
  }
  const amount = unit_amount ?? (unit_amount_decimal ? Number(unit_amount_decimal) : undefined);
  if (amount === undefined || !Number.isSafeInteger(amount)) {
    throw invalidRequest('This sandbox needs `unit_amount` in whole cents.', {
      code: 'parameter_missing',
      param: 'unit_amount',
    });
  }
  if (product) refer(act.tables.products, product, 'product');
  const owner = product ?? createNamedProduct(act, product_data!);
  return createPrice(act, { ...fields, unit_amount: amount, product: owner });
}

function createNamedProduct(act: Act, data: Values<typeof productData>): string {
  const { metadata: patch, ...fields } = data;
  return createProduct(act, { ...fields, metadata: patchMetadata({}, patch) }).id;
}

function update(act: Act, price: Price, input: Values<typeof updateParams>): Price {
  const { lookup_key, transfer_lookup_key, metadata: patch, ...fields } = input;
  const key =
    lookup_key === undefined || lookup_key === price.lookup_key
      ? price.lookup_key
      : takeLookupKey(act, lookup_key ?? undefined, transfer_lookup_key ?? false);
  return amend(
    act,
    act.tables.prices,
    price,
    { ...fields, lookup_key: key, metadata: patchMetadata(price.metadata, patch) },
    'price.updated',
  );
}

function matches(price: Price, input: Values<typeof filterParams>): boolean {
  return (
    (input.active === undefined || price.active === input.active) &&
    (input.currency === undefined || price.currency === input.currency) &&
    (input.type === undefined || price.type === input.type) &&
    (input.lookup_keys === undefined || input.lookup_keys.includes(price.lookup_key ?? '')) &&
    (input.recurring?.interval === undefined ||
      price.recurring?.interval === input.recurring.interval)
  );
}

export const priceEndpoints = [
  endpoint('POST', '/v1/prices', createParams, create),
  endpoint('GET', '/v1/prices/:id', {}, (act, _input, { id }) => demand(act.tables.prices, id)),
  endpoint('POST', '/v1/prices/:id', updateParams, (act, input, { id }) =>
    update(act, demand(act.tables.prices, id), input),
  ),
  endpoint('GET', '/v1/prices', filterParams, ({ tables }, input) => {
    const ids = input.product ? tables.prices.idsBy('product', input.product) : tables.prices.ids();
    return page(tables.prices, ids, input, '/v1/prices', (price) => matches(price, input));
  }),
];
