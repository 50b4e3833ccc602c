import { refused } from '../api/stripe-error.ts';
import { type Act, amend } from '../state/act.ts';
import { newId } from '../state/ids.ts';
import { type Customer, type CustomerBalanceTransaction, nulls } from '../state/objects.ts';

interface BalanceChange {
  customer: string;
  /** Negative is credit to the customer, positive a debt. */
  amount: number;
  currency: string;
  type: CustomerBalanceTransaction['type'];
  description?: string | undefined;
  metadata?: Record<string, string>;
  invoice?: string;
}

/** Throws if the customer already has another currency. As at Stripe, the first subscription, credit or invoice item sets it. */
export function rejectOtherCurrency(customer: Customer | null, currency: string): void {
  if (!customer?.currency || customer.currency === currency) return;
  throw refused(
    `You cannot combine currencies on a single customer. This customer has had a subscription, coupon, or invoice item with currency ${customer.currency}.`,
    { param: 'currency' },
  );
}

/** Records a change of a customer's balance. Entries never change. */
export function changeBalance(act: Act, change: BalanceChange): CustomerBalanceTransaction {
  const { tables } = act;
  const customer = tables.customers.find(change.customer)!;
  rejectOtherCurrency(customer, change.currency);
  const balance = customer.balance + change.amount;
  const entry: CustomerBalanceTransaction = {
    ...nulls('checkout_session credit_note customer_account'),
    id: newId('cbtxn'),
    object: 'customer_balance_transaction',
    amount: change.amount,
    created: act.at,
    currency: change.currency,
    customer: customer.id,
    description: change.description ?? null,
    ending_balance: balance,
    invoice: change.invoice ?? null,
    livemode: false,
    metadata: change.metadata ?? {},
    type: change.type,
  };
  tables.balanceEntries.save(entry);
  const changed = { balance, currency: change.currency };
  amend(act, tables.customers, customer, changed, 'customer.updated');
  return entry;
}
