/** Below this a card is not charged at Stripe; the amount goes to the balance instead. */
const smallestChargeCents = 50;

/** How a bill and a customer's balance (negative is credit) settle each other, as Stripe does it. */
export function settleBill(
  totalCents: number,
  balanceCents: number,
): { charged: number; balance: number } {
  if (totalCents === 0) return { charged: 0, balance: balanceCents };
  const due = totalCents + balanceCents;
  if (totalCents < 0 || due < smallestChargeCents) return { charged: 0, balance: due };
  return { charged: due, balance: 0 };
}
