import { newId } from '../api/ids.ts';
import { refused } from '../api/stripe-error.ts';
import type { Act } from '../state/act.ts';
import type { Product } from '../state/objects.ts';

/** Adds a product. */
export function createProduct(act: Act, fields: Partial<Product> & { name: string }): Product {
  const id = fields.id ?? newId('prod', 14);
  if (act.tables.products.find(id)) {
    throw refused(`Product already exists: ${id}`, {
      code: 'resource_already_exists',
      param: 'id',
    });
  }
  const product: Product = {
    object: 'product',
    active: true,
    created: act.at,
    default_price: null,
    description: null,
    images: [],
    livemode: false,
    marketing_features: [],
    metadata: {},
    package_dimensions: null,
    shippable: null,
    statement_descriptor: null,
    tax_code: null,
    tax_details: null,
    type: 'service',
    unit_label: null,
    updated: act.at,
    url: null,
    ...fields,
    id,
  };
  act.tables.products.save(product, null);
  act.emit('product.created', product);
  return product;
}
