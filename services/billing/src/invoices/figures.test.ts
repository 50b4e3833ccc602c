import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { failingCard } from '../../test/cards.ts';
import { journeyMs, startBilling, type TestBilling } from '../../test/harness.ts';

vi.setConfig({ testTimeout: journeyMs });
let test: TestBilling;
beforeAll(async () => {
  test = await startBilling({ repairs: true });
});
afterAll(() => test.stop());
beforeEach(() => test.faults({}));

async function figures() {
  const response = await test.app.inject({
    url: '/internal/analytics/billing',
    headers: test.as({ kind: 'service', name: 'gateway' }),
  });
  return response.json();
}

async function ledger() {
  let total = 0;
  let charges = 0;
  for await (const entry of test.deps.stripe.balanceTransactions.list({ limit: 100 })) {
    total += entry.amount;
    if (entry.type === 'charge') charges += 1;
  }
  return { total, charges };
}

describe('GET /internal/analytics/billing', () => {
  it("equals the provider's ledger to the cent, with trials, failures, refunds and lost events", async () => {
    const people = [];
    for (let n = 0; n < 6; n += 1)
      people.push(await test.subscribe({ plan: n % 2 === 0 ? 'monthly' : 'yearly' }));
    await test.subscribe({}, failingCard());
    await test.faults({ webhook: { duplicate: 0.5, reorder: 0.3, drop: 0.2 } });
    await test.advance(76);
    const { stripe } = test.deps;
    const { data: intents } = await stripe.paymentIntents.list({ limit: 100 });
    const paid = intents.filter((intent) => intent.status === 'succeeded');
    await stripe.refunds.create({ payment_intent: paid[0]!.id });
    await stripe.refunds.create({ payment_intent: paid[1]!.id, amount: 123 });
    await test.advance(24 * 33);
    const truth = await ledger();
    expect(truth.charges).toBe(9);
    expect(await figures()).toEqual({
      subscriptions: { active: 6, trial: 0 },
      revenue: {
        total: truth.total / 100,
        total_cents: truth.total,
        transactions: truth.charges,
      },
    });
    const receipts = await test.mails(people[0]!.email);
    expect(receipts.filter((mail) => /receipt/.test(mail.subject))).toHaveLength(2);
  });

  it.each(['/internal/analytics/billing', '/internal/live'])(
    '%s is for our services only',
    async (url) => {
      expect((await test.app.inject(url)).statusCode).toBe(401);
      const headers = test.asUser(crypto.randomUUID());
      expect((await test.app.inject({ url, headers })).statusCode).toBe(403);
    },
  );
});
