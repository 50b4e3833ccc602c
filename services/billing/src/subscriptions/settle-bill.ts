import { type Currency, isCurrency } from '@daylift/contracts/plans';
import type Stripe from 'stripe';

/** Stripe adds smaller amounts to the balance instead of charging them. */
export const smallestChargeCents: Record<Currency, number> = { usd: 50, gbp: 30, eur: 50 };

const smallestChargeIn = (currency: string): number =>
  isCurrency(currency) ? smallestChargeCents[currency] : 0;

/** Settles an invoice with a customer's balance (negative is credit) as Stripe does. */
export function settleBill(
  totalCents: number,
  balanceCents: number,
  currency: string,
): { charged: number; balance: number } {
  if (totalCents === 0) return { charged: 0, balance: balanceCents };
  const due = totalCents + balanceCents;
  if (totalCents < 0 || due < smallestChargeIn(currency)) return { charged: 0, balance: due };
  return { charged: due, balance: 0 };
}

/**
 * A negative balance is credit. A remainder too small to charge becomes debt, which isn't credit used. A void invoice
 * has returned what it used, but keeps both balances.
 */
export function usedCredit({ status, starting_balance, ending_balance }: Stripe.Invoice): number {
  if (status === 'void') return 0;
  const used = (ending_balance ?? starting_balance) - starting_balance;
  return Math.max(0, Math.min(used, -starting_balance));
}
