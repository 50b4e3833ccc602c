import { refused } from '../api/stripe-error.ts';
import { money } from '../pages/page.ts';
import { type Act, amend } from '../state/act.ts';
import { newId } from '../state/ids.ts';
import { type Charge, nulls, type Refund } from '../state/objects.ts';
import { book } from './ledger.ts';

/** Refunds a part of a charge, or all that is left. */
export function refundCharge(
  act: Act,
  charge: Charge,
  wanted: number | undefined,
  { reason = null, metadata = {} }: Partial<Pick<Refund, 'reason' | 'metadata'>>,
): Refund {
  const left = charge.amount_captured - charge.amount_refunded;
  const amount = wanted ?? left;
  if (charge.status !== 'succeeded') {
    throw refused(`Charge ${charge.id} has not been captured and cannot be refunded.`, {
      param: 'charge',
    });
  }
  if (act.tables.disputes.by('charge', charge.id).some((one) => !one.is_charge_refundable)) {
    throw refused(`Charge ${charge.id} has been charged back; cannot issue a refund.`, {
      code: 'charge_disputed',
      charge: charge.id,
    });
  }
  if (left === 0) {
    throw refused(`Charge ${charge.id} has already been refunded.`, {
      code: 'charge_already_refunded',
      charge: charge.id,
    });
  }
  if (amount > left) {
    throw refused(
      `Refund amount (${money(amount, charge.currency)}) is greater than unrefunded amount on charge (${money(left, charge.currency)})`,
      { param: 'amount', charge: charge.id },
    );
  }
  const id = newId('re');
  const refund: Refund = {
    ...nulls('customer_account receipt_number source_transfer_reversal transfer_reversal'),
    id,
    object: 'refund',
    amount,
    // The fee of the charge is not returned.
    balance_transaction: book(act, { type: 'refund', source: id, amount: -amount, fee: 0 }, charge)
      .id,
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
    metadata,
    payment_intent: charge.payment_intent,
    payment_method: charge.payment_method,
    reason,
    status: 'succeeded',
  };
  act.tables.refunds.save(refund);
  act.emit('refund.created', refund);
  const amount_refunded = charge.amount_refunded + amount;
  const change = { amount_refunded, refunded: amount_refunded === charge.amount_captured };
  amend(act, act.tables.charges, charge, change, 'charge.refunded');
  return refund;
}
