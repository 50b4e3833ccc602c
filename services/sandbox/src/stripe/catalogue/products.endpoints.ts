import { endpoint } from '../api/endpoint.ts';
import { page } from '../api/list.ts';
import { demand, refer } from '../api/lookup.ts';
import {
  boolean,
  currency,
  emptyable,
  hash,
  integer,
  list,
  listParams,
  metadata,
  patchMetadata,
  required,
  text,
  timeRange,
  url,
  type Values,
} from '../api/params.ts';
import { refused } from '../api/stripe-error.ts';
import { type Act, amend } from '../state/act.ts';
import type { Product } from '../state/objects.ts';
import { createPrice, recurring } from './prices.ts';
import { createProduct } from './products.ts';

const shared = {
  active: boolean,
  description: emptyable(text),
  images: list(text),
  marketing_features: list(hash({ name: required(text) })),
  metadata,
  shippable: boolean,
  statement_descriptor: text,
  tax_code: emptyable(text),
  unit_label: emptyable(text),
  url: emptyable(url),
};
const createParams = {
  ...shared,
  id: text,
  name: required(text),
  default_price_data: hash({
    currency: required(currency),
    unit_amount: integer,
    recurring: hash(recurring),
    metadata,
  }),
};
const updateParams = { ...shared, name: text, default_price: text };

function create(act: Act, input: Values<typeof createParams>): Product {
  const { default_price_data, metadata: patch, ...fields } = input;
  const product = createProduct(act, { ...fields, metadata: patchMetadata({}, patch) });
  if (!default_price_data) return product;
  const price = createPrice(act, { ...default_price_data, product: product.id });
  return amend(act, act.tables.products, product, { default_price: price.id }, 'product.updated');
}

function updateProduct(act: Act, product: Product, input: Values<typeof updateParams>): Product {
  const { metadata: patch, default_price, ...fields } = input;
  if (default_price) refer(act.tables.prices, default_price, 'default_price');
  return amend(
    act,
    act.tables.products,
    product,
    {
      ...fields,
      ...(default_price ? { default_price } : {}),
      metadata: patchMetadata(product.metadata, patch),
      updated: act.at,
    },
    'product.updated',
  );
}

export const productEndpoints = [
  endpoint('POST', '/v1/products', createParams, create),
  endpoint('GET', '/v1/products/:id', {}, (act, _input, { id }) => demand(act.tables.products, id)),
  endpoint('POST', '/v1/products/:id', updateParams, (act, input, { id }) =>
    updateProduct(act, demand(act.tables.products, id), input),
  ),
  endpoint('DELETE', '/v1/products/:id', {}, (act, _input, { id }) => {
    const product = demand(act.tables.products, id);
    if (act.tables.prices.idsBy('product', id).length > 0) {
      throw refused(
        'This product cannot be deleted because it has one or more user-created prices.',
      );
    }
    act.tables.products.remove(id);
    act.emit('product.deleted', product);
    return { id, object: 'product', deleted: true };
  }),
  endpoint(
    'GET',
    '/v1/products',
    { ...listParams, active: boolean, created: timeRange, ids: list(text), url: text },
    ({ tables }, input) =>
      page(
        tables.products,
        tables.products.ids(),
        input,
        '/v1/products',
        (product) =>
          (input.active === undefined || product.active === input.active) &&
          (input.ids === undefined || input.ids.includes(product.id)) &&
          (input.url === undefined || product.url === input.url),
      ),
  ),
];
