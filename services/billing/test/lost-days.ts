import type { SignupFacts } from '@daylift/contracts/accounts.http';
import type { LostDay } from '@daylift/contracts/scheduler.events';
import type { TestBilling } from './harness.ts';

export type Person = { user_id: string };

/** Returns the customer's id at the provider. */
export async function customerOf({ db }: TestBilling, { user_id }: Person): Promise<string> {
  const row = await db
    .selectFrom('customers')
    .select('stripe_customer_id')
    .where('user_id', '=', user_id)
    .executeTakeFirstOrThrow();
  return row.stripe_customer_id ?? '';
}

/** Subscribers who lose days, and what became of these days. */
export function useLostDays(test: () => TestBilling) {
  return {
    paying: async (facts: Partial<SignupFacts> = {}): Promise<SignupFacts> => {
      const person = await test().subscribe(facts);
      const headers = test().asUser(person.user_id);
      const { plan } = (await test().app.inject({ url: '/users/me/plan', headers })).json();
      const url = '/users/me/plan/upgrade';
      await test().app.inject({ method: 'POST', url, headers, payload: { plan } });
      await test().settle();
      return person;
    },
    /** Days may be lost ahead of the clock, which saves moving it. */
    inHours: (hours: number) => new Date(test().deps.clock.now().getTime() + hours * 3_600_000),
    /** A day lost at this instant, as the scheduler publishes it. */
    lostDay: ({ user_id }: Person, at: Date, more: Partial<LostDay> = {}): LostDay => ({
      user_id,
      local_date: at.toISOString().slice(0, 10),
      due_at: at.toISOString(),
      frequency: 'daily',
      outcome: 'missed',
      reason: 'provider_down',
      ...more,
    }),
    publish: (days: LostDay[], id?: string) =>
      test().hear('scheduler', 'scheduler.days.lost', { days }, id),
    decisionsOf: async ({ user_id }: Person) => {
      const rows = await test()
        .db.selectFrom('lost_days')
        .select(['decision', 'credit_cents'])
        .where('user_id', '=', user_id)
        .orderBy('local_date')
        .execute();
      return rows.map(({ decision, credit_cents }) => [decision, credit_cents]);
    },
    /** Returns the amounts booked on the customer's balance; credit is negative. */
    bookings: async (person: Person): Promise<number[]> => {
      const customer = await customerOf(test(), person);
      const { data } = await test().deps.stripe.customers.listBalanceTransactions(customer);
      return data.filter((one) => one.type === 'adjustment').map((one) => one.amount);
    },
  };
}
