/** Stripe adds smaller amounts to the balance instead of charging them. */
export const smallestChargeCents = 50;

/** Settles an invoice with a customer's balance (negative is credit) as Stripe does. */
export function settleBill(
  totalCents: number,
  balanceCents: number,
): { charged: number; balance: number } {
  if (totalCents === 0) return { charged: 0, balance: balanceCents };
  const due = totalCents + balanceCents;
  if (totalCents < 0 || due < smallestChargeCents) return { charged: 0, balance: due };
  return { charged: due, balance: 0 };
}
