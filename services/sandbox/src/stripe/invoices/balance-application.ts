/** The minimum charge in cents by currency. A smaller amount is added to the customer's balance instead. */
const SMALLEST_CHARGE: Record<string, number> = { usd: 50, gbp: 30, eur: 50 };

interface BalanceApplication {
  amount_due: number;
  starting_balance: number;
  ending_balance: number;
  /** Balance entries that lead from the starting to the ending balance. */
  bookings: { type: 'applied_to_invoice' | 'invoice_too_small'; amount: number }[];
}

/** Applies the customer's balance (negative is credit) to an invoice's total. */
export function applyBalance(total: number, balance: number, currency: string): BalanceApplication {
  const untouched = { starting_balance: balance, ending_balance: balance, bookings: [] };
  if (total === 0) return { ...untouched, amount_due: 0 };
  if (total < 0) return booked(balance, balance + total, 0);
  const due = total + balance;
  if (due <= 0) return booked(balance, due, 0);
  if (due >= (SMALLEST_CHARGE[currency] ?? 0)) return booked(balance, 0, due);
  const { bookings } = booked(balance, 0, 0);
  return {
    amount_due: 0,
    starting_balance: balance,
    ending_balance: due,
    bookings: [...bookings, { type: 'invoice_too_small', amount: due }],
  };
}

function booked(start: number, end: number, amount_due: number): BalanceApplication {
  const bookings: BalanceApplication['bookings'] =
    end === start ? [] : [{ type: 'applied_to_invoice', amount: end - start }];
  return { amount_due, starting_balance: start, ending_balance: end, bookings };
}
