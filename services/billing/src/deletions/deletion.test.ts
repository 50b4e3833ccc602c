import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { journeyMs, startBilling, type TestBilling } from '../../test/harness.ts';
import { customerOf, type Person } from '../../test/lost-days.ts';

vi.setConfig({ testTimeout: journeyMs });
let test: TestBilling;
beforeAll(async () => {
  test = await startBilling();
});
afterAll(() => test.stop());
beforeEach(() => test.faults({}));

const forget = ({ user_id }: Person) => test.hear('accounts', 'accounts.user.deleted', { user_id });
async function paymentsOf(person: Person): Promise<number[][]> {
  const customer = await customerOf(test, person);
  const { data } = await test.deps.stripe.charges.list({ customer });
  return data.map((charge) => [charge.amount, charge.amount_refunded]);
}
async function exported(id: string) {
  const headers = test.as({ kind: 'service', name: 'accounts' });
  return (await test.app.inject({ url: `/internal/export/${id}`, headers })).json();
}
/** Returns every row of the schema as text. */
async function everythingKept(): Promise<string> {
  const { rows: tables } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables
    where table_schema = current_schema()`.execute(test.db);
  const texts = await Promise.all(
    tables.map(async ({ name }) => {
      const { rows } = await sql<{ text: string | null }>`
        select string_agg(t::text, ' ') as text from ${sql.table(name)} t`.execute(test.db);
      return rows[0]?.text ?? '';
    }),
  );
  return texts.join('\n');
}

describe('a deleted account', () => {
  it('leaves no name, address or card, here or at the provider, and keeps the books', async () => {
    const facts = await test.subscribe({ name: 'Zenobia Quill' }, '5555555555554444');
    await test.app.inject({
      method: 'POST',
      url: '/users/me/plan/upgrade',
      headers: test.asUser(facts.user_id),
      payload: { plan: 'monthly' },
    });
    await test.settle();
    await test.prove(facts, { name: 'Zenobia Byron' });
    const customer = await customerOf(test, facts);
    expect(await everythingKept()).toContain('Zenobia Quill');
    await forget(facts);
    await test.settle();
    const stored = await everythingKept();
    for (const trace of ['Zenobia', facts.email, 'mastercard', '4444', 'checkout.stripe'])
      expect(stored).not.toContain(trace);
    expect(await test.state(facts.user_id)).toMatchObject({ status: 'canceled', entitled: false });
    expect(await test.deps.stripe.customers.retrieve(customer)).toMatchObject({ deleted: true });
    const paid = await test.db
      .selectFrom('invoices')
      .select('amount_paid_cents')
      .where('user_id', '=', facts.user_id)
      .where('amount_paid_cents', '>', 0)
      .execute();
    expect(paid).toEqual([{ amount_paid_cents: 499 }]);
    const { data } = await test.deps.stripe.charges.list({ customer });
    expect(data.map((charge) => charge.amount_refunded)).toEqual([0]);
  });

  it("isn't restored by late or repeated events", async () => {
    const facts = await test.subscribe();
    await forget(facts);
    await forget(facts);
    await test.hear('accounts', 'accounts.user.registered', facts);
    const unseen = randomUUID();
    await forget({ user_id: unseen });
    await test.hear('accounts', 'accounts.user.registered', { ...facts, user_id: unseen });
    await test.settle();
    for (const user_id of [facts.user_id, unseen]) {
      test.signupsAtAccounts.set(user_id, { ...facts, user_id });
      const headers = test.asUser(user_id);
      expect((await test.app.inject({ url: '/users/me/plan', headers })).statusCode).toBe(404);
      expect(await exported(user_id)).toEqual({});
    }
    expect(await everythingKept()).not.toContain(facts.email);
  });

  it("can't pay on an open page anymore", async () => {
    const facts = await test.signUp();
    const { body } = await test.checkOut(facts);
    await forget(facts);
    await test.settle();
    const session = await test.deps.stripe.checkout.sessions.retrieve(body.session_id);
    expect(session.status).toBe('expired');
    expect((await test.checkOut(facts)).status).toBe(404);
  });

  it('is refunded for a payment after the deletion', async () => {
    const first = await test.subscribe();
    await test.prove(first);
    const facts = await test.signUp({ phone_hash: first.phone_hash });
    const { body } = await test.checkOut(facts);
    await test.faults({ stripe_down: true });
    await forget(facts);
    await test.pay(body.session_id);
    await test.faults({});
    await test.advance(1);
    const customer = await customerOf(test, facts);
    expect(await paymentsOf(facts)).toEqual([[499, 499]]);
    const { data: running } = await test.deps.stripe.subscriptions.list({ customer });
    expect(running).toEqual([]);
    expect(await test.deps.stripe.customers.retrieve(customer)).toMatchObject({ deleted: true });
  });

  it('is refunded for a payment before the deletion that was not known yet', async () => {
    const first = await test.subscribe();
    await test.prove(first);
    const facts = await test.signUp({ phone_hash: first.phone_hash });
    const { body } = await test.checkOut(facts);
    await test.faults({ webhook: { drop: 1 } });
    await test.pay(body.session_id);
    await test.advance(0.1);
    await forget(facts);
    await test.faults({});
    await test.advance(1);
    expect(await paymentsOf(facts)).toEqual([[499, 499]]);
  });

  it('is refunded for a payment on a signup that expired as unpaid', async () => {
    const first = await test.subscribe();
    await test.prove(first);
    const facts = await test.subscribe({ phone_hash: first.phone_hash });
    await test.hear('accounts', 'accounts.user.deleted', {
      ...{ user_id: facts.user_id, expired: true },
    });
    await test.settle();
    expect(await paymentsOf(facts)).toEqual([[499, 499]]);
    expect(await test.state(facts.user_id)).toMatchObject({ status: 'canceled', entitled: false });
  });

  it('is deleted at the provider as soon as that is available', async () => {
    const facts = await test.subscribe();
    const customer = await customerOf(test, facts);
    await test.faults({ stripe_down: true });
    await forget(facts);
    await test.advance(1);
    await test.faults({});
    await test.advance(1);
    expect(await test.deps.stripe.customers.retrieve(customer)).toMatchObject({ deleted: true });
  });
});

describe('GET /internal/export/:id', () => {
  it("returns all of a person's data in billing, without provider ids", async () => {
    const facts = await test.subscribe({ plan: 'yearly' }, '4000056655665556');
    await test.prove(facts);
    await test.subscribe({ referrer_user_id: facts.user_id });
    await test.app.inject({
      method: 'POST',
      url: '/users/me/plan/cancel',
      headers: test.asUser(facts.user_id),
    });
    const part = await exported(facts.user_id);
    expect(part).toMatchObject({
      customer: { email: facts.email, name: facts.name, plan: 'yearly' },
      subscription: { status: 'trial', card: { brand: 'visa', last4: '5556' } },
      checkouts: [{ plan: 'yearly', trial_days: 3, status: 'complete' }],
      trial_marks: [{ kind: 'account' }, { kind: 'card' }, { kind: 'email' }, { kind: 'phone' }],
      last_change: { action: 'cancel' },
      mails: [
        { subject: 'Your free trial has started' },
        { subject: 'Your subscription is canceled' },
      ],
      invoices: [],
      credits: { balance_cents: 0, referrals: { pending: 1 } },
    });
    expect(JSON.stringify(part)).not.toMatch(/(cus|sub|pi|cs)_/);
    expect(await exported(randomUUID())).toEqual({});
  });

  it('is for our services only', async () => {
    const facts = await test.signUp();
    const url = `/internal/export/${facts.user_id}`;
    expect((await test.app.inject(url)).statusCode).toBe(401);
    const headers = test.asUser(facts.user_id);
    expect((await test.app.inject({ url, headers })).statusCode).toBe(403);
  });
});
