import type { Currency } from '@daylift/contracts/plans';
import type { BillingDeps } from '../deps.ts';
import { nullIfMissing } from '../stripe-client.ts';

export interface Booking {
  /** What the credit is for; with the number it identifies the booking at the provider. */
  subject: Record<string, string>;
  number: number;
  /** Negative takes credit back. */
  cents: number;
  currency: Currency;
  description: string;
}

/**
 * Books credit on a customer's balance and returns its amount, or null if the customer no longer exists. The number is
 * stored at the provider, so a booking made before a crash is found again at any time, with the amount it had then.
 */
export async function bookOnce(
  { stripe }: Pick<BillingDeps, 'stripe'>,
  customerId: string,
  { subject, number, cents, currency, description }: Booking,
  key: string,
): Promise<number | null> {
  const metadata = { ...subject, booking: String(number) };
  const isSame = (other: Record<string, string> | null) =>
    Object.entries(metadata).every(([name, value]) => other?.[name] === value);
  try {
    const transactions = stripe.customers.listBalanceTransactions(customerId, { limit: 100 });
    for await (const entry of transactions) if (isSame(entry.metadata)) return -entry.amount;
    await stripe.customers.createBalanceTransaction(
      customerId,
      // At Stripe credit is negative.
      { amount: -cents, currency, description, metadata },
      { idempotencyKey: `${key}:${number}` },
    );
    return cents;
  } catch (error) {
    return nullIfMissing(error);
  }
}
