import {
  boolean,
  emptyable,
  hash,
  integer,
  integerBetween,
  list,
  listParams,
  metadata,
  oneOf,
  required,
  text,
  timeRange,
  type Values,
  wordOr,
} from '../api/params.ts';
import type { Subscription } from '../state/objects.ts';

const itemShape = {
  id: text,
  price: text,
  quantity: integerBetween(1, 1000),
  deleted: boolean,
  metadata,
};
const cancellation = hash({
  comment: emptyable(text),
  feedback: emptyable(
    oneOf(
      'customer_service',
      'low_quality',
      'missing_features',
      'other',
      'switched_service',
      'too_complex',
      'too_expensive',
      'unused',
    ),
  ),
});
export const trialSettings = hash({
  end_behavior: required(
    hash({ missing_payment_method: required(oneOf('cancel', 'create_invoice', 'pause')) }),
  ),
});
const paymentBehavior = oneOf('allow_incomplete', 'error_if_incomplete', 'default_incomplete');
export const prorationBehavior = oneOf('always_invoice', 'create_prorations', 'none');
const cancelAt = emptyable(wordOr('min_period_end', wordOr('max_period_end', integer)));

const shared = {
  cancel_at_period_end: boolean,
  default_payment_method: emptyable(text),
  description: emptyable(text),
  metadata,
  off_session: boolean,
  payment_behavior: paymentBehavior,
  proration_behavior: prorationBehavior,
  trial_end: wordOr('now', integer),
  trial_settings: trialSettings,
};
export const createParams = {
  ...shared,
  customer: required(text),
  items: required(list(hash({ price: required(text), quantity: itemShape.quantity, metadata }))),
  trial_period_days: integerBetween(1, 730),
};
export const updateParams = {
  ...shared,
  billing_cycle_anchor: oneOf('now', 'unchanged'),
  cancel_at: cancelAt,
  cancellation_details: cancellation,
  items: list(hash(itemShape)),
  proration_date: integer,
};
export const cancelParams = {
  cancellation_details: cancellation,
  invoice_now: boolean,
  prorate: boolean,
};

export const filterParams = {
  ...listParams,
  created: timeRange,
  customer: text,
  price: text,
  status: oneOf(
    'active',
    'all',
    'canceled',
    'ended',
    'incomplete',
    'incomplete_expired',
    'past_due',
    'paused',
    'trialing',
    'unpaid',
  ),
};

/** Trial settings as an object shows them. */
export function wholeTrialSettings(
  given: Values<{ trial_settings: typeof trialSettings }>['trial_settings'],
): Subscription['trial_settings'] {
  return {
    end_behavior: {
      billing_cycle_anchor: null,
      missing_payment_method: given?.end_behavior.missing_payment_method ?? 'create_invoice',
    },
  };
}
