import type { Act } from '../state/act.ts';
import { newId } from '../state/ids.ts';
import type { BalanceTransaction } from '../state/objects.ts';

type Booking = Pick<BalanceTransaction, 'type' | 'source' | 'amount' | 'fee'> &
  Partial<Pick<BalanceTransaction, 'reporting_category'>>;

/** Records the money of a charge, refund or dispute. */
export function book(
  act: Act,
  booking: Booking,
  { currency }: { currency: string },
): BalanceTransaction {
  const { amount, fee } = booking;
  const entry: BalanceTransaction = {
    reporting_category: booking.type,
    ...booking,
    id: newId('txn'),
    object: 'balance_transaction',
    available_on: act.at,
    balance_type: 'payments',
    created: act.at,
    currency,
    description: null,
    exchange_rate: null,
    fee_details:
      fee === 0
        ? []
        : [
            {
              amount: fee,
              application: null,
              currency,
              description: 'Stripe processing fees',
              type: 'stripe_fee',
            },
          ],
    net: amount - fee,
    status: 'available',
  };
  return act.tables.ledger.save(entry);
}

/** Returns Stripe's usual fee: 2.9 % and 30 cents. */
export const feeOf = (amount: number): number => Math.round(amount * 0.029) + 30;
