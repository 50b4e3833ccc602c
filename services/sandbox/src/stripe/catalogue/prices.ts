import { newId } from '../api/ids.ts';
import { refer } from '../api/lookup.ts';
import {
  integerBetween,
  type MetadataPatch,
  oneOf,
  patchMetadata,
  required,
} from '../api/params.ts';
import { refused } from '../api/stripe-error.ts';
import { type Act, amend } from '../state/act.ts';
import type { Plan, Price } from '../state/objects.ts';

export type Interval = 'day' | 'week' | 'month' | 'year';

export const recurring = {
  interval: required(oneOf('day', 'week', 'month', 'year')),
  interval_count: integerBetween(1, 1095),
  usage_type: oneOf('licensed'),
};

export interface PriceFields {
  active?: boolean;
  currency: string;
  unit_amount?: number | undefined;
  recurring?: { interval: Interval; interval_count?: number } | undefined;
  product: string;
  lookup_key?: string;
  transfer_lookup_key?: boolean;
  nickname?: string;
  tax_behavior?: 'exclusive' | 'inclusive' | 'unspecified';
  metadata?: MetadataPatch;
}

/** Adds a price; its amount and interval never change afterwards. */
export function createPrice(act: Act, fields: PriceFields): Price {
  const unit_amount = fields.unit_amount ?? 0;
  const price: Price = {
    id: newId('price'),
    object: 'price',
    active: fields.active ?? true,
    billing_scheme: 'per_unit',
    created: act.at,
    currency: fields.currency,
    custom_unit_amount: null,
    livemode: false,
    lookup_key: takeLookupKey(act, fields.lookup_key, fields.transfer_lookup_key ?? false),
    metadata: patchMetadata({}, fields.metadata),
    nickname: fields.nickname ?? null,
    product: fields.product,
    recurring: fields.recurring
      ? {
          interval: fields.recurring.interval,
          interval_count: fields.recurring.interval_count ?? 1,
          meter: null,
          trial_period_days: null,
          usage_type: 'licensed',
        }
      : null,
    tax_behavior: fields.tax_behavior ?? 'unspecified',
    tiers_mode: null,
    transform_quantity: null,
    type: fields.recurring ? 'recurring' : 'one_time',
    unit_amount,
    unit_amount_decimal: String(unit_amount),
  };
  act.tables.prices.save(price, null);
  act.emit('price.created', price);
  return price;
}

/** A lookup key names one price; it moves only where that is asked for. */
export function takeLookupKey(act: Act, key: string | undefined, transfer: boolean): string | null {
  if (key === undefined) return null;
  for (const holder of act.tables.prices.by('lookup_key', key)) {
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

/** The older form of a price, which subscription items still carry. */
export function planOf(price: Price): Plan {
  return {
    id: price.id,
    object: 'plan',
    active: price.active,
    amount: price.unit_amount,
    amount_decimal: price.unit_amount_decimal,
    billing_scheme: 'per_unit',
    created: price.created,
    currency: price.currency,
    interval: price.recurring!.interval,
    interval_count: price.recurring!.interval_count,
    livemode: false,
    metadata: price.metadata,
    meter: null,
    nickname: price.nickname,
    product: price.product,
    tiers_mode: null,
    transform_usage: null,
    trial_period_days: null,
    usage_type: 'licensed',
  };
}

/** The price that a parameter names, which must still be on sale. */
export function referPrice(act: Act, id: string, param: string): Price {
  const price = refer(act.tables.prices, id, param);
  if (price.active) return price;
  throw refused('The price specified is inactive. This field only accepts active prices.', {
    param,
  });
}
