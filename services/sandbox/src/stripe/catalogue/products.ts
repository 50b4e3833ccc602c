import { endpoint, reads } from '../api/endpoint.ts';
import { boolean, emptyable, metadata, optional, patchMetadata, text } from '../api/params.ts';
import { refused } from '../api/stripe-error.ts';
import { amend } from '../state/act.ts';
import { newId } from '../state/ids.ts';
import { nulls, type Product } from '../state/objects.ts';

const params = {
  active: optional(boolean),
  description: optional(emptyable(text)),
  metadata: optional(metadata),
};

export const productEndpoints = [
  endpoint('POST', '/v1/products', { ...params, id: optional(text), name: text }, (act, input) => {
    const { id = newId('prod', 14), metadata: patch, ...fields } = input;
    if (act.tables.products.find(id)) {
      throw refused(`Product already exists: ${id}`, {
        code: 'resource_already_exists',
        param: 'id',
      });
    }
    const product: Product = {
      ...nulls('default_price description package_dimensions shippable statement_descriptor'),
      ...nulls('tax_code tax_details unit_label url'),
      id,
      object: 'product',
      active: true,
      created: act.at,
      images: [],
      livemode: false,
      marketing_features: [],
      metadata: patchMetadata({}, patch),
      type: 'service',
      updated: act.at,
      ...fields,
    };
    act.tables.products.save(product);
    act.emit('product.created', product);
    return product;
  }),
  endpoint(
    'POST',
    '/v1/products/:id',
    { ...params, name: optional(text) },
    (act, { metadata: patch, ...fields }, id) => {
      const product = act.tables.products.get(id);
      const changed = patchMetadata(product.metadata, patch);
      return amend(
        act,
        act.tables.products,
        product,
        { ...fields, metadata: changed, updated: act.at },
        'product.updated',
      );
    },
  ),
  ...reads('/v1/products', (tables) => tables.products, { active: optional(boolean) }),
];
