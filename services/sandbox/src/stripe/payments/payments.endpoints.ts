import { endpoint, listed, read } from '../api/endpoint.ts';
import {
  type Input,
  integerBetween,
  metadata,
  oneOf,
  optional,
  patchMetadata,
  text,
} from '../api/params.ts';
import { refused } from '../api/stripe-error.ts';
import type { Act } from '../state/act.ts';
import type { Charge } from '../state/objects.ts';
import { refundCharge } from './refunds.ts';

const refundParams = {
  amount: optional(integerBetween(1, 99_999_999)),
  charge: optional(text),
  metadata: optional(metadata),
  payment_intent: optional(text),
  reason: optional(oneOf('duplicate', 'fraudulent', 'requested_by_customer')),
};

function chargeToRefund({ tables }: Act, input: Input<typeof refundParams>): Charge {
  if (input.charge) return tables.charges.refer(input.charge, 'charge');
  const intent = tables.paymentIntents.refer(input.payment_intent ?? '', 'payment_intent');
  const charge = tables.charges.find(intent.latest_charge ?? '');
  if (charge?.status === 'succeeded') return charge;
  throw refused('This PaymentIntent does not have a successful charge to refund.', {
    param: 'payment_intent',
  });
}

const customer = optional(text);

export const paymentEndpoints = [
  read('/v1/payment_methods', (tables) => tables.paymentMethods),
  read('/v1/payment_intents', (tables) => tables.paymentIntents),
  listed('/v1/payment_intents', (tables) => tables.paymentIntents, { customer }),
  listed('/v1/charges', (tables) => tables.charges, { customer }),
  endpoint('POST', '/v1/refunds', refundParams, (act, input) =>
    refundCharge(act, chargeToRefund(act, input), input.amount, {
      reason: input.reason ?? null,
      metadata: patchMetadata({}, input.metadata),
    }),
  ),
  read('/v1/refunds', (tables) => tables.refunds),
  listed('/v1/refunds', (tables) => tables.refunds, {
    charge: optional(text),
    payment_intent: optional(text),
  }),
  read('/v1/disputes', (tables) => tables.disputes),
  listed('/v1/disputes', (tables) => tables.disputes, {
    charge: optional(text),
    payment_intent: optional(text),
  }),
  listed('/v1/balance_transactions', (tables) => tables.ledger, {}),
];
