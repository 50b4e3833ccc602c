import { refused } from '../api/stripe-error.ts';
import { money } from '../pages/page.ts';
import { type Act, amend } from '../state/act.ts';
import { newId } from '../state/ids.ts';
import { type Charge, nulls, type Refund } from '../state/objects.ts';
import { bookRefund } from './ledger.ts';

interface RefundFields {
  amount: number | undefined;
  reason: Refund['reason'];
  metadata: Record<string, string>;
}

/** Refunds a part of a charge, or all that is left. */
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
    ...nulls('customer_account receipt_number source_transfer_reversal transfer_reversal'),
    id,
    object: 'refund',
    amount,
    balance_transaction: bookRefund(act, { id, amount, currency: charge.currency }),
    charge: charge.id,
    created: act.at,
    currency: charge.currency,
    customer: charge.customer,
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
    status: 'succeeded',
  };
  act.tables.refunds.save(refund);
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
