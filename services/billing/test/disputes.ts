import type { PlanView } from '@daylift/contracts/billing.http';
import type { TestBilling } from './harness.ts';

type Person = { user_id: string };
export type DisputeStatus = 'under_review' | 'won' | 'lost' | 'warning_closed';

/** What banks and subscribers do with a payment, through the public doors. */
export function payments(test: TestBilling) {
  const of = async ({ user_id }: Person) => {
    const row = await test.db
      .selectFrom('customers')
      .select('stripe_customer_id')
      .where('user_id', '=', user_id)
      .executeTakeFirstOrThrow();
    const customer = row.stripe_customer_id ?? '';
    const { data } = await test.deps.stripe.charges.list({ customer, limit: 100 });
    return data.filter(({ status }) => status === 'succeeded');
  };
  return {
    of,
    /** A subscriber whose first payment went through. */
    async payer(facts: Parameters<TestBilling['subscribe']>[0] = {}, card?: string) {
      const person = await test.subscribe(facts, card);
      await test.app.inject({
        method: 'POST',
        url: '/users/me/plan/upgrade',
        headers: test.asUser(person.user_id),
        payload: { plan: person.plan },
      });
      await test.settle();
      return person;
    },
    async dispute(person: Person, options: { inquiry?: boolean } = {}): Promise<string> {
      const [charge] = await of(person);
      const { id } = await test.sandbox.call<{ id: string }>('/sandbox/disputes', {
        charge: charge!.id,
        ...options,
      });
      await test.settle();
      return id;
    },
    async decide(id: string, status: DisputeStatus): Promise<void> {
      await test.sandbox.call(`/sandbox/disputes/${id}`, { status });
      await test.settle();
    },
    async plan({ user_id }: Person): Promise<PlanView> {
      const headers = test.asUser(user_id);
      return (await test.app.inject({ url: '/users/me/plan', headers })).json<PlanView>();
    },
    /** What the provider's ledger holds, without fees. */
    async ledger(): Promise<number> {
      let total = 0;
      for await (const entry of test.deps.stripe.balanceTransactions.list({ limit: 100 }))
        total += entry.amount;
      return total;
    },
    async revenue(): Promise<{ total_cents: number; transactions: number }> {
      const headers = test.as({ kind: 'service', name: 'gateway' });
      const response = await test.app.inject({ url: '/internal/analytics/billing', headers });
      return response.json().revenue;
    },
  };
}
