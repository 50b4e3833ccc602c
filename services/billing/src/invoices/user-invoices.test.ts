import { eventually } from '@daylift/testing/eventually';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { failingCard } from '../../test/cards.ts';
import { journeyMs, origin, startBilling, type TestBilling } from '../../test/harness.ts';
import { deleteCustomer } from '../deletions/delete-customer.ts';
import { enqueueTask } from '../provider-tasks/provider-tasks.repository.ts';
import { syncInvoice } from './invoices.actions.ts';

vi.setConfig({ testTimeout: journeyMs });
let test: TestBilling;
beforeAll(async () => {
  test = await startBilling();
});
afterAll(() => test.stop());

type Person = { user_id: string };
const get = ({ user_id }: Person, path: string) =>
  test.app.inject({ url: `/users/me/invoices${path}`, headers: test.asUser(user_id) });
const invoices = async (person: Person, query = '') => (await get(person, query)).json();
async function change({ user_id }: Person, action: string, plan: string) {
  await test.app.inject({
    method: 'POST',
    url: `/users/me/plan/${action}`,
    headers: test.asUser(user_id),
    payload: { plan },
  });
  await test.settle();
}

it('lists invoices newest first, to the cent, with refunds and credits', async () => {
  const person = await test.subscribe({ plan: 'yearly' });
  expect(await invoices(person)).toEqual([]);
  await change(person, 'upgrade', 'yearly');
  await test.advance(1);
  await change(person, 'switch', 'monthly');
  const headers = test.asUser(person.user_id);
  const plan = (await test.app.inject({ url: '/users/me/plan', headers })).json();
  const { data } = await test.deps.stripe.charges.list({ limit: 1 });
  await test.deps.stripe.refunds.create({ charge: data[0]!.id, amount: 1000 });
  await test.settle();
  const [credit, paid, ...more] = await invoices(person);
  expect(more).toEqual([]);
  expect(plan.credit_cents).toBeGreaterThan(4000);
  expect(credit).toMatchObject({ amount_cents: -plan.credit_cents, refunded_cents: 0 });
  expect(paid).toMatchObject({
    amount_cents: 4999,
    refunded_cents: 1000,
    currency: 'usd',
    status: 'paid',
  });
  await test.deps.stripe.refunds.create({ charge: data[0]!.id });
  await test.settle();
  expect((await invoices(person))[1]).toMatchObject({ refunded_cents: 4999, status: 'refunded' });
});

it("a failed charge is an open invoice, and no one sees another's invoices", async () => {
  const person = await test.subscribe({}, failingCard());
  await test.advance(76);
  expect(await invoices(person)).toMatchObject([{ amount_cents: 499, status: 'open' }]);
  expect(await invoices(await test.signUp())).toEqual([]);
  expect((await test.app.inject('/users/me/invoices')).statusCode).toBe(401);
});

it('pages through all invoices, without those of others', async () => {
  const person = await test.signUp();
  const invoice = (n: number) => ({
    id: `in_${person.user_id.replaceAll('-', '')}${n}`,
    user_id: person.user_id,
    read_ticket: 1,
    status: 'paid',
    currency: 'usd',
    total_cents: n,
    credit_cents: 0,
    amount_due_cents: n,
    amount_paid_cents: n,
    attempt_count: 1,
    created_at: new Date(Date.UTC(2027, 0, n)),
    paid_at: null,
    payment_intent_id: null,
  });
  const all = Array.from({ length: 26 }, (_, n) => invoice(n + 1));
  await test.db.insertInto('invoices').values(all).execute();
  const listed = await invoices(person);
  expect(listed).toHaveLength(24);
  expect(listed[0].amount_cents).toBe(26);
  expect(listed[23].amount_cents).toBe(3);
  const amounts: number[] = [];
  for (let page = await invoices(person, '?limit=10'); page.length > 0; ) {
    amounts.push(...page.map((one: { amount_cents: number }) => one.amount_cents));
    page = await invoices(person, `?limit=10&before=${page.at(-1).id}`);
  }
  expect(amounts).toEqual(all.map((one) => one.total_cents).reverse());
  expect(await invoices(await test.signUp(), `?before=${listed[0].id}`)).toEqual([]);
  expect((await get(person, '?before=x')).statusCode).toBe(400);
});

it('returns the PDF of an invoice to its owner only', async () => {
  const person = await test.subscribe();
  await test.advance(76);
  const [{ id }] = await invoices(person);
  const found = await get(person, `/${id}/pdf`);
  const file = await fetch(found.json().url);
  expect(file.headers.get('content-type')).toBe('application/pdf');
  expect((await get(await test.signUp(), `/${id}/pdf`)).statusCode).toBe(404);
  expect((await get(person, '/in_unknown/pdf')).statusCode).toBe(404);
  expect((await test.app.inject(`/users/me/invoices/${id}/pdf`)).statusCode).toBe(401);
  await test.faults({ stripe_down: true });
  expect((await get(person, `/${id}/pdf`)).statusCode).toBe(503);
  await test.faults({});
});

describe('business details from the portal', () => {
  const details = {
    action: 'update_details',
    billing_name: 'Acme GmbH',
    line1: 'Hauptstr. 1',
    postal_code: '10115',
    city: 'Berlin',
    country: 'DE',
    tax_id_type: 'eu_vat',
    tax_id: 'DE123456789',
  };
  const billedTo = 'Acme GmbH, Hauptstr. 1, Berlin, 10115, DE, Tax ID DE123456789';
  async function addDetails(person: Person) {
    const { url } = (
      await test.app.inject({
        method: 'POST',
        url: '/users/me/plan/portal',
        headers: test.asUser(person.user_id),
        payload: { origin_url: origin },
      })
    ).json();
    await fetch(url, { method: 'POST', body: new URLSearchParams(details) });
    await test.settle();
  }

  const storedDetails = (id: string) =>
    test.db.selectFrom('invoices').select('billed_to').where('id', '=', id).execute();

  it('are on later invoices and their PDF, and survive a changed name and email', async () => {
    const person = await test.subscribe();
    await test.advance(76);
    await addDetails(person);
    const changed = { name: 'Ada Byron', email: 'byron@example.com' };
    await test.prove(person, changed);
    await test.settle();
    await test.advance(24 * 31);
    const [renewal, first] = await invoices(person);
    expect(renewal).toMatchObject({ billed_to: billedTo });
    expect(first.billed_to).toBeUndefined();
    const { url } = (await get(person, `/${renewal.id}/pdf`)).json();
    expect(await (await fetch(url)).text()).toContain('Tax ID: DE123456789');
    const customer = await test.deps.stripe.customers.retrieve(
      (await test.deps.stripe.invoices.retrieve(renewal.id)).customer as string,
    );
    expect(customer).toMatchObject({ name: 'Acme GmbH', email: 'byron@example.com' });
  });

  it('are erased with the account, and a repeated webhook does not bring them back', async () => {
    const person = await test.subscribe();
    await addDetails(person);
    await test.advance(76);
    const [{ id, billed_to }] = await invoices(person);
    expect(billed_to).toBe(billedTo);
    await test.hear('accounts', 'accounts.user.deleted', { user_id: person.user_id });
    await test.settle();
    await enqueueTask(test.db, 'sync_invoice', [id], test.deps.clock.now());
    await test.settle();
    expect(await storedDetails(id)).toEqual([{ billed_to: null }]);
  });

  it('are erased by a deletion while the invoice is read', async () => {
    const person = await test.subscribe();
    await addDetails(person);
    await test.advance(76);
    const [{ id }] = await invoices(person);
    const deletion = await test.db.startTransaction().execute();
    await deleteCustomer(deletion, person, test.deps.clock.now());
    const syncing = syncInvoice(test.deps, id);
    await eventually(async () => {
      const { rows } = await sql`select from pg_stat_activity
        where wait_event_type = 'Lock' and datname = current_database()`.execute(test.db);
      return rows.length > 0;
    });
    await deletion.commit().execute();
    await syncing;
    expect(await storedDetails(id)).toEqual([{ billed_to: null }]);
  });

  it("aren't an account's earlier names", async () => {
    const person = await test.subscribe();
    const rename = async (name: string) => {
      await test.prove(person, { name });
      await test.settle();
    };
    await rename('Ada Byron');
    await test.advance(76);
    const [{ id }] = await invoices(person);
    const billed = await test.deps.stripe.invoices.retrieve(id);
    expect(billed.customer_name).toBe('Ada Byron');
    await rename('Ada Lovelace');
    await syncInvoice(test.deps, id);
    expect(await storedDetails(id)).toEqual([{ billed_to: null }]);
    expect(await test.deps.stripe.customers.retrieve(billed.customer as string)).toMatchObject({
      name: 'Ada Lovelace',
    });
  });
});
