import { newId } from '../api/ids.ts';
import { refused } from '../api/stripe-error.ts';
import { type Act, amend } from '../state/act.ts';
import type { CustomerBalanceTransaction } from '../state/objects.ts';

export interface BalanceChange {
  customer: string;
  /** Negative is credit to the customer, positive a debt. */
  amount: number;
  currency: string;
  type: CustomerBalanceTransaction['type'];
  description?: string | null;
  metadata?: Record<string, string>;
  invoice?: string | null;
}

/** Books a change of a customer's balance. Entries are never changed afterwards. */
export function changeBalance(act: Act, change: BalanceChange): CustomerBalanceTransaction {
  const { tables } = act;
  const customer = tables.customers.find(change.customer)!;
  if (customer.currency && customer.currency !== change.currency) {
    throw refused(
      `The customer's currency is ${customer.currency}; the balance cannot hold ${change.currency}.`,
      { param: 'currency' },
    );
  }
  const balance = customer.balance + change.amount;
  const entry: CustomerBalanceTransaction = {
    id: newId('cbtxn'),
    object: 'customer_balance_transaction',
    amount: change.amount,
    checkout_session: null,
    created: act.at,
    credit_note: null,
    currency: change.currency,
    customer: customer.id,
    customer_account: null,
    description: change.description ?? null,
    ending_balance: balance,
    invoice: change.invoice ?? null,
    livemode: false,
    metadata: change.metadata ?? {},
    type: change.type,
  };
  tables.balanceEntries.save(entry, null);
  amend(
    act,
    tables.customers,
    customer,
    { balance, currency: change.currency },
    'customer.updated',
  );
  return entry;
}
