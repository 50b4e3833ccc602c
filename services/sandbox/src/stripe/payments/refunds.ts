import { newId } from '../api/ids.ts';
import { refused } from '../api/stripe-error.ts';
import { type Act, amend } from '../state/act.ts';
import type { Charge, Refund } from '../state/objects.ts';
import { bookRefund } from './ledger.ts';

export interface RefundFields {
  amount?: number;
  reason: Refund['reason'];
  metadata: Record<string, string>;
}

/** Gives back all that is left of a charge, or a part of it. */
export function refundCharge(act: Act, charge: Charge, fields: RefundFields): Refund {
  const left = charge.amount_captured - charge.amount_refunded;
  if (charge.status !== 'succeeded' || charge.amount_captured === 0) {
    throw refused(`Charge ${charge.id} has not been captured and cannot be refunded.`, {
      param: 'charge',
    });
  }
  if (left === 0) {
    throw refused(`Charge ${charge.id} has already been refunded.`, {
      code: 'charge_already_refunded',
      charge: charge.id,
    });
  }
  const amount = fields.amount ?? left;
  if (amount <= 0 || amount > left) {
    throw refused(
      `Refund amount (${money(amount)}) is greater than unrefunded amount on charge (${money(left)})`,
      { param: 'amount', charge: charge.id },
    );
  }
  return recordRefund(act, charge, amount, fields);
}

function recordRefund(act: Act, charge: Charge, amount: number, fields: RefundFields): Refund {
  const id = newId('re');
  const refund: Refund = {
    id,
    object: 'refund',
    amount,
    balance_transaction: bookRefund(act, { id, amount, currency: charge.currency }),
    charge: charge.id,
    created: act.at,
    currency: charge.currency,
    customer: charge.customer,
    customer_account: null,
    destination_details: {
      type: 'card',
      card: {
        reference_status: 'pending',
        reference_type: 'acquirer_reference_number',
        type: 'refund',
      },
    },
    metadata: fields.metadata,
    payment_intent: charge.payment_intent,
    payment_method: charge.payment_method,
    reason: fields.reason,
    receipt_number: null,
    source_transfer_reversal: null,
    status: 'succeeded',
    transfer_reversal: null,
  };
  act.tables.refunds.save(refund, null);
  const amount_refunded = charge.amount_refunded + amount;
  act.emit('refund.created', refund);
  amend(
    act,
    act.tables.charges,
    charge,
    { amount_refunded, refunded: amount_refunded === charge.amount_captured },
    'charge.refunded',
  );
  return refund;
}

function money(cents: number): string {
  return `$${(cents / 100).toFixed(2)}`;
}
