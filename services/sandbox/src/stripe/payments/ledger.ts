import type { Act } from '../state/act.ts';
import { newId } from '../state/ids.ts';
import type { BalanceTransaction, Charge, Refund } from '../state/objects.ts';

/** Records the money of a charge and Stripe's usual fee: 2.9 % and 30 cents. */
export function bookCharge(act: Act, charge: Pick<Charge, 'id' | 'amount' | 'currency'>): string {
  const fee = Math.round(charge.amount * 0.029) + 30;
  return book(act, {
    type: 'charge',
    source: charge.id,
    amount: charge.amount,
    currency: charge.currency,
    fee,
    fee_details: [
      {
        amount: fee,
        application: null,
        currency: charge.currency,
        description: 'Stripe processing fees',
        type: 'stripe_fee',
      },
    ],
  });
}

/** Records the money of a refund; the fee of the charge is not returned. */
export function bookRefund(act: Act, refund: Pick<Refund, 'id' | 'amount' | 'currency'>): string {
  return book(act, {
    type: 'refund',
    source: refund.id,
    amount: -refund.amount,
    currency: refund.currency,
    fee: 0,
    fee_details: [],
  });
}

type Booking = Pick<
  BalanceTransaction,
  'type' | 'source' | 'amount' | 'currency' | 'fee' | 'fee_details'
>;

function book(act: Act, booking: Booking): string {
  const entry: BalanceTransaction = {
    id: newId('txn'),
    object: 'balance_transaction',
    available_on: act.at,
    balance_type: 'payments',
    created: act.at,
    description: null,
    exchange_rate: null,
    net: booking.amount - booking.fee,
    reporting_category: booking.type,
    status: 'available',
    ...booking,
  };
  return act.tables.ledger.save(entry).id;
}
