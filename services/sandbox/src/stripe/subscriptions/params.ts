import {
  boolean,
  hash,
  type Input,
  integerBetween,
  metadata,
  oneOf,
  optional,
  patchMetadata,
  text,
} from '../api/params.ts';
import { referPrice } from '../catalogue/prices.ts';
import type { Act } from '../state/act.ts';
import type { Subscription } from '../state/objects.ts';
import type { ItemChange } from './plan-change.ts';

export const quantity = integerBetween(1, 1000);
export const prorationBehavior = oneOf('always_invoice', 'create_prorations', 'none');

const missingMethod = { missing_payment_method: oneOf('cancel', 'create_invoice', 'pause') };
const settings = { end_behavior: hash(missingMethod) };
export const trialSettings = hash(settings);

/** Returns trial settings as an object shows them. */
export function wholeTrialSettings(
  given: Input<typeof settings> | undefined,
): Subscription['trial_settings'] {
  const missing_payment_method = given?.end_behavior.missing_payment_method ?? 'create_invoice';
  return { end_behavior: { billing_cycle_anchor: null, missing_payment_method } };
}

const itemParams = {
  id: optional(text),
  price: optional(text),
  quantity: optional(quantity),
  deleted: optional(boolean),
  metadata: optional(metadata),
};
export const itemChange = hash(itemParams);

/** Returns the changes of items with their prices; `param` is the name of the list in the request. */
export function itemChanges(
  act: Act,
  items: readonly Input<typeof itemParams>[] = [],
  param = 'items',
): ItemChange[] {
  return items.map(({ price, metadata: patch, ...rest }, index) => ({
    ...rest,
    ...(price && { price: referPrice(act, price, `${param}[${index}][price]`) }),
    metadata: patchMetadata({}, patch),
  }));
}
