import type { Business } from '@daylift/contracts/business.http';
import { publishedEvents } from '@daylift/testing/published';
import type { Kysely } from 'kysely';
import type Stripe from 'stripe';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { up } from '../../migrations/060_create_mrr_changes.ts';
import { failingCard, goodCard } from '../../test/cards.ts';
import { payments } from '../../test/disputes.ts';
import { journeyMs, origin, startBilling, type TestBilling } from '../../test/harness.ts';
import { customerOf } from '../../test/lost-days.ts';

vi.setConfig({ testTimeout: journeyMs * 3, hookTimeout: journeyMs });
let test: TestBilling;
let money: ReturnType<typeof payments>;
beforeAll(async () => {
  test = await startBilling({ clockStart: '2027-01-12T15:00:00Z' });
  money = payments(test);
  await test.faults({ stripe: { retry_days: [3, 2] } });
});
afterAll(() => test.stop());

const viewer = {
  kind: 'admin',
  admin_id: crypto.randomUUID(),
  username: 'viewer',
  role: 'viewer',
  session_version: 0,
} as const;
const request = (query = '', as: Record<string, string> = test.as(viewer)) =>
  test.app.inject({ url: `/admin/business${query}`, headers: as });
const read = async (from: string, to: string) =>
  (await request(`?from=${from}&to=${to}`)).json<Business>();

type Person = { user_id: string };
const act = async ({ user_id }: Person, path: string, payload?: object) => {
  const response = await test.app.inject({
    method: 'POST',
    url: `/users/me/plan/${path}`,
    headers: test.asUser(user_id),
    ...(payload && { payload }),
  });
  await test.settle();
  return response;
};
async function changeCard(person: Person, card: string) {
  const portal = await act(person, 'portal', { origin_url: origin });
  const form = { card_number: card, expiry: '12/40', cvc: '123', name: 'Ada' };
  await fetch(portal.json().url, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams({ action: 'update_card', ...form }),
  });
  await test.settle();
}
async function refund(person: Person, amount?: number) {
  const { data } = await test.deps.stripe.charges.list({
    customer: await customerOf(test, person),
  });
  const paid = data.find((charge) => charge.status === 'succeeded')!;
  await test.deps.stripe.refunds.create({ charge: paid.id, ...(amount && { amount }) });
  await test.settle();
}
async function rejoin(person: Person) {
  const { body } = await test.checkOut(person, {}, test.asUser(person.user_id));
  await test.pay(body.session_id);
  await test.settle();
}

/** Everything the provider has published, oldest first. It forgets events after 30 days. */
const published = new Map<string, Stripe.Event>();
async function collect() {
  const page: Stripe.Event[] = [];
  for await (const event of test.deps.stripe.events.list({ limit: 100 })) page.push(event);
  for (const event of page.reverse()) published.set(event.id, event);
}
async function days(count: number) {
  await test.advance(24 * count);
  await collect();
}

const texts: { date: string; country: string; texts: number; cost: string }[] = [];
async function cost(date: string, ...countries: [string, number, string][]) {
  const counted_at = test.deps.clock.now().toISOString();
  const counted = countries.map(([country, count, sum]) => ({ country, texts: count, cost: sum }));
  await test.hear('sms', 'sms.costs.counted', { date, counted_at, countries: counted });
  for (const one of counted) texts.push({ date, ...one });
}

const people: { user_id: string; registered_at: string; country?: string | undefined }[] = [];
async function join(
  count: number,
  facts: Parameters<TestBilling['subscribe']>[0],
  card = goodCard,
) {
  const joined = await Promise.all(
    Array.from({ length: count }, async (_, index) => {
      const country = ['US', 'CA', 'GB'][(people.length + index) % 3]!;
      const person = await test.signUp({ country, ...facts });
      const { body } = await test.checkOut(person, { plan: person.plan });
      await test.pay(body.session_id, card());
      return person;
    }),
  );
  await test.settle();
  people.push(...joined);
  return joined;
}

/** Trials without a card, which the provider doesn't know, by the day they ended. */
const addedByStaff: { person: Person; date: string; converts: boolean }[] = [];
async function addByStaff(date: string, converts: boolean) {
  const person = await test.signUp({ country: 'US', created_by: 'admin' });
  people.push(person);
  addedByStaff.push({ person, date, converts });
  if (converts) await rejoin(person);
}

/** Some dozens of subscribers over about two months. */
async function live() {
  const monthly = await join(9, {});
  const yearly = await join(4, { plan: 'yearly' });
  const broke = await join(4, {}, failingCard);
  people.push(await test.signUp({ country: 'US' }));
  await addByStaff('2027-01-12', true);
  await addByStaff('2027-01-15', false);
  await act(monthly[0]!, 'cancel');
  await act(monthly[1]!, 'upgrade', { plan: 'monthly' });
  await act(yearly[0]!, 'upgrade', { plan: 'yearly' });
  await cost('2027-01-13', ['US', 30, '0.21000'], ['CA', 9, '0.09009']);
  await days(5);
  await changeCard(broke[0]!, goodCard());
  await act(broke[0]!, 'pay', { charge_now_cents: 499 });
  await act(broke[1]!, 'cancel');
  await act(monthly[2]!, 'switch', { plan: 'yearly' });
  await act(yearly[1]!, 'switch', { plan: 'monthly' });
  await act(monthly[3]!, 'cancel');
  await refund(monthly[4]!, 200);
  await money.decide(await money.dispute(monthly[8]!), 'lost');
  await changeCard(monthly[5]!, failingCard());
  await changeCard(monthly[6]!, failingCard());
  await join(6, {});
  await cost('2027-01-31', ['US', 41, '0.30750'], ['+881', 1, '0.50000']);
  await days(16);
  await days(15);
  await money.decide(await money.dispute(yearly[3]!), 'won');
  await changeCard(monthly[5]!, goodCard());
  await act(monthly[5]!, 'pay', { charge_now_cents: 499 });
  await join(5, {});
  await cost('2027-02-03', ['US', 40, '0.29995'], ['CA', 9, '0.09005']);
  await days(12);
  await rejoin(monthly[3]!);
  await refund(yearly[2]!);
  await act(yearly[2]!, 'cancel');
  const [last] = await join(3, { plan: 'yearly' });
  await act(last!, 'upgrade', { plan: 'yearly' });
  await refund(last!);
  await test.hear('accounts', 'accounts.user.deleted', { user_id: monthly[7]!.user_id });
  await test.settle();
  await cost('2027-03-02', ['GB', 12, '0.48000']);
  await days(4);
}

const dateOf = (seconds: number) =>
  new Intl.DateTimeFormat('en-CA', { timeZone: 'America/New_York' }).format(seconds * 1_000);
const rounded = (value: number) => Math.round(value * 10) / 10;

type Move = { customer: string; date: string; before: number; after: number; isFirst: boolean };

/** What every customer paid per month after each event, from the provider's records alone. */
function recountMoves(): Move[] {
  type Sub = { live: boolean; cents: number; paid: boolean };
  const byCustomer = new Map<string, { subs: Map<string, Sub>; cents: number; ever: boolean }>();
  const moves: Move[] = [];
  const events = [...published.values()].filter(({ type }) =>
    /^(customer\.subscription\.(created|updated|deleted)|invoice\.paid)$/.test(type),
  );
  const customerOfEvent = ({ data }: Stripe.Event) =>
    (data.object as { customer: string }).customer;
  events.forEach((event, index) => {
    const customer = customerOfEvent(event);
    const one = byCustomer.get(customer) ?? { subs: new Map<string, Sub>(), cents: 0, ever: false };
    byCustomer.set(customer, one);
    const subOf = (id: string) => one.subs.get(id) ?? { live: false, cents: 0, paid: false };
    if (event.type === 'invoice.paid') {
      const invoice = event.data.object;
      const id = invoice.parent?.subscription_details?.subscription as string;
      if (invoice.total > 0) one.subs.set(id, { ...subOf(id), paid: true });
    } else {
      const object = event.data.object as Stripe.Subscription;
      const { unit_amount, recurring } = object.items.data[0]!.price;
      one.subs.set(object.id, {
        ...subOf(object.id),
        live: ['trialing', 'active', 'past_due'].includes(object.status),
        cents: recurring!.interval === 'year' ? Math.round(unit_amount! / 12) : unit_amount!,
      });
    }
    // One change may be several events.
    const continues = events
      .slice(index + 1)
      .some((next) => next.created === event.created && customerOfEvent(next) === customer);
    if (continues) return;
    const after = [...one.subs.values()].reduce(
      (sum, sub) => sum + (sub.live && sub.paid ? sub.cents : 0),
      0,
    );
    if (after === one.cents) return;
    moves.push({
      customer,
      date: dateOf(event.created),
      before: one.cents,
      after,
      isFirst: !one.ever,
    });
    one.cents = after;
    one.ever = true;
  });
  return moves;
}

async function ledger() {
  const entries = [];
  for await (const entry of test.deps.stripe.balanceTransactions.list({ limit: 100 }))
    entries.push({ type: entry.type, amount: entry.amount, date: dateOf(entry.created) });
  return entries;
}

/** What each dispute has withdrawn so far. */
async function disputes() {
  const { data } = await test.deps.stripe.disputes.list({ limit: 100 });
  return data.map(({ created, balance_transactions }) => ({
    date: dateOf(created),
    amount: balance_transactions.reduce((sum, { amount }) => sum - amount, 0),
  }));
}

const eventsOf = (type: string) => [...published.values()].filter((one) => one.type === type);

async function recount(from: string, to: string): Promise<Record<string, number | null>> {
  const isIn = ({ date }: { date: string }) => date >= from && date <= to;
  const moves = recountMoves();
  const change = (found: Move[]) => found.reduce((sum, one) => sum + one.after - one.before, 0);
  const drop = (found: Move[]) => found.reduce((sum, one) => sum + one.before - one.after, 0);
  const inside = moves.filter(isIn);
  const before = moves.filter(({ date }) => date < from);
  const until = moves.filter(({ date }) => date <= to);
  const payers = (found: Move[]) => {
    const last = new Map(found.map(({ customer, after }) => [customer, after]));
    return new Set([...last].filter(([, cents]) => cents > 0).map(([customer]) => customer));
  };
  const [start, end] = [payers(before), payers(until)];
  const lost = [...start].filter((customer) => !end.has(customer)).length;
  const mrrStart = change(before);
  const mrrEnd = change(until);
  const churned = drop(inside.filter(({ after }) => after === 0));
  const smaller = inside.filter((one) => one.after > 0 && one.after < one.before);

  const money = (await ledger()).filter(isIn);
  const sum = (type: string) =>
    money.filter((entry) => entry.type === type).reduce((total, { amount }) => total + amount, 0);
  const collected = sum('charge');
  const refunded = Math.abs(sum('refund'));
  const disputed = (await disputes()).filter(isIn).reduce((total, one) => total + one.amount, 0);
  const revenue = collected - refunded - disputed;
  const textCost = Math.round(
    texts.filter(isIn).reduce((total, one) => total + Number(one.cost.replace('.', '')), 0) / 1_000,
  );

  const subs = [...published.values()].filter((one) =>
    /^customer\.subscription\.(u|d)/.test(one.type),
  );
  const trials = new Map<string, string>();
  for (const { data, created } of subs) {
    const object = data.object as Stripe.Subscription;
    const ended = { customer: object.customer as string, date: dateOf(created) };
    if (object.trial_start !== null && object.status !== 'trialing' && !trials.has(ended.customer))
      trials.set(ended.customer, ended.date);
  }
  const paid = eventsOf('invoice.paid').map(({ data }) => data.object as Stripe.Invoice);
  const hasPaid = (customer: string) =>
    paid.some((invoice) => invoice.customer === customer && invoice.amount_paid > 0);
  const endedTrials = [
    ...[...trials].map(([customer, date]) => ({ date, converts: hasPaid(customer) })),
    ...addedByStaff,
  ].filter(isIn);
  const converted = endedTrials.filter(({ converts }) => converts);
  const firstFailures = new Map<string, string>();
  for (const { data, created } of eventsOf('invoice.payment_failed')) {
    const { id } = data.object as Stripe.Invoice;
    if (!firstFailures.has(id)) firstFailures.set(id, dateOf(created));
  }
  const failed = [...firstFailures].filter(([, date]) => isIn({ date })).map(([id]) => id);
  const recovered = failed.filter((id) => paid.some((invoice) => invoice.id === id));

  const length = (Date.parse(to) - Date.parse(from)) / 86_400_000 + 1;
  const share = (part: number, whole: number) => (whole > 0 ? rounded((part / whole) * 100) : null);
  return {
    mrr_start: mrrStart,
    mrr_new: change(inside.filter((one) => one.isFirst)),
    mrr_expansion: change(inside.filter((one) => one.before > 0 && one.after > one.before)),
    mrr_contraction: drop(smaller),
    mrr_churned: churned,
    mrr_reactivated: change(inside.filter((one) => one.before === 0 && !one.isFirst)),
    mrr_end: mrrEnd,
    revenue_churn: share(churned + drop(smaller), mrrStart),
    paying: end.size,
    logo_churn: share(lost, start.size),
    trials_ended: endedTrials.length,
    trial_conversion: share(converted.length, endedTrials.length),
    arpu: end.size === 0 ? null : Math.round(mrrEnd / end.size),
    ltv:
      lost === 0 || end.size === 0 || revenue <= 0
        ? null
        : Math.round(
            ((mrrEnd / end.size) * (1 - textCost / revenue)) /
              ((lost / start.size / length) * (365 / 12)),
          ),
    collected,
    refunds: refunded,
    disputes: disputed,
    tax: 0,
    revenue,
    text_cost: textCost,
    text_cost_per_paying: end.size === 0 ? null : Math.round(textCost / end.size),
    gross_margin: share(revenue - textCost, revenue),
    failed_payments: failed.length,
    recovery: share(recovered.length, failed.length),
  };
}

it("every figure of every range equals a recount from the provider's records", async () => {
  await live();
  const ranges: [string, string][] = [
    ['2027-01-01', '2027-01-31'],
    ['2027-02-01', '2027-02-28'],
    ['2027-03-01', '2027-03-31'],
    ['2027-01-15', '2027-01-16'],
    ['2027-02-10', '2027-03-02'],
    ['2027-01-01', '2027-03-31'],
    ['2026-06-01', '2026-06-30'],
  ];
  for (const [from, to] of ranges) {
    const response = await read(from, to);
    expect({
      range: from,
      ...Object.fromEntries(response.figures.map((one) => [one.id, one.value])),
    }).toEqual({ range: from, ...(await recount(from, to)) });
    const { previous } = response;
    expect(Object.fromEntries(response.figures.map((one) => [one.id, one.previous]))).toEqual(
      await recount(previous.from, previous.to),
    );
  }
  // The histories contain each kind of change.
  const whole = await read('2027-01-01', '2027-03-31');
  for (const { id, value } of whole.figures)
    if (!['mrr_start', 'logo_churn', 'revenue_churn', 'ltv', 'tax'].includes(id))
      expect([id, Number(value) > 0]).toEqual([id, true]);
});

it('cohorts and countries equal a recount', async () => {
  const { cohorts, by_country } = await read('2027-01-01', '2027-03-05');
  const customers = new Map<string, string>();
  for (const person of people) customers.set(await customerOf(test, person), person.user_id);
  const moves = recountMoves().map((one) => ({ ...one, user: customers.get(one.customer)! }));
  const payingAt = (date: string) => {
    const last = new Map(
      moves.filter((one) => one.date < date).map((one) => [one.user, one.after]),
    );
    return (user: string) => (last.get(user) ?? 0) > 0;
  };
  const monthOf = ({ registered_at }: { registered_at: string }) =>
    dateOf(Date.parse(registered_at) / 1_000).slice(0, 7);
  const hasPaidBy = (date: string) => (user: string) =>
    moves.some((one) => one.user === user && one.date < date);
  const months = ['2027-01', '2027-02', '2027-03'];
  expect(cohorts).toEqual(
    months.flatMap((month, index) => {
      const joined = people.filter((person) => monthOf(person) === month);
      if (joined.length === 0) return [];
      return [
        {
          month,
          signups: joined.length,
          paid: joined.filter(({ user_id }) => hasPaidBy('2027-03-99')(user_id)).length,
          paying: months.slice(index).map((end) => {
            const payers = joined.filter(({ user_id }) => payingAt(`${end}-99`)(user_id));
            return joined.some(({ user_id }) => hasPaidBy(`${end}-99`)(user_id))
              ? payers.length
              : null;
          }),
        },
      ];
    }),
  );
  const paying = payingAt('2027-03-06');
  for (const country of ['US', 'CA', 'GB']) {
    const inCountry = people.filter((person) => person.country === country);
    const found = by_country.find((one) => one.country === country);
    expect(found?.paying).toBe(inCountry.filter(({ user_id }) => paying(user_id)).length);
    expect(found?.texts).toBe(
      texts.filter((one) => one.country === country).reduce((sum, one) => sum + one.texts, 0),
    );
  }
  expect(by_country.find(({ country }) => country === '+881')).toMatchObject({
    text_cost_cents: 50,
    paying: 0,
    cost_per_paying_cents: null,
    margin_percent: null,
  });
  const revenueOf = (found: Business['by_country']) =>
    found.reduce((sum, one) => sum + one.revenue_cents, 0);
  expect(revenueOf(by_country)).toBe(await money.ledger());
  // A refund counts even if the payment's invoice has no copy.
  await test.db
    .updateTable('invoices')
    .set({ payment_intent_id: null })
    .where('payment_intent_id', 'in', (query) =>
      query
        .selectFrom('refunds')
        .select('payment_intent_id')
        .$castTo<{ payment_intent_id: string }>(),
    )
    .execute();
  const unknown = await read('2027-01-01', '2027-03-05');
  expect(unknown.by_country).not.toEqual(by_country);
  expect(revenueOf(unknown.by_country)).toBe(await money.ledger());
});

it('a newer count of a day replaces the stored one, and an older one is ignored', async () => {
  const at = (counted_at: string, cost_: string) =>
    test.hear('sms', 'sms.costs.counted', {
      date: '2026-05-01',
      counted_at,
      countries: [{ country: 'US', texts: 1, cost: cost_ }],
    });
  await at('2026-05-02T00:00:00.000Z', '2.00000');
  await at('2026-05-01T00:00:00.000Z', '1.00000');
  const textCost = async () =>
    (await read('2026-05-01', '2026-05-01')).figures.find(({ id }) => id === 'text_cost')?.value;
  expect(await textCost()).toBe(200);
  await at('2026-05-03T00:00:00.000Z', '3.00000');
  expect(await textCost()).toBe(300);
});

it("each month's figures are published once, on the first of the next, from the second month on", async () => {
  const reports = (await test.db.selectFrom('month_reports').selectAll().execute()).map(
    ({ month }) => month,
  );
  expect(reports.toSorted()).toEqual(['2026-12', '2027-01', '2027-02']);
  const rows = await publishedMonths();
  expect(rows.map(({ month }) => month)).toEqual(['2027-01', '2027-02']);
  const { figures } = await read('2027-02-01', '2027-02-28');
  const name = figures.find(({ id }) => id === 'mrr_end')!;
  const february = rows[1]!.figures.find((one) => one.name === name.name);
  expect(february?.value).toBe(`$${(name.value! / 100).toFixed(2)}`);
});

async function publishedMonths() {
  const events = await publishedEvents(test.db, 'billing.month.closed');
  return events.map(
    ({ data }) => data as { month: string; figures: { name: string; value: string }[] },
  );
}

it('a range is up to 366 days, in order, and for admins', async () => {
  expect((await request('', {})).statusCode).toBe(401);
  expect((await request('', test.asUser(crypto.randomUUID()))).statusCode).toBe(403);
  for (const query of [
    '?from=2027-03-02&to=2027-03-01',
    '?from=2026-01-01&to=2027-03-01',
    '?from=yesterday',
    '?from=2027-02-30',
  ])
    expect([query, (await request(query)).statusCode]).toEqual([query, 400]);
  const { from, to } = (await request()).json<Business>();
  expect((Date.parse(to) - Date.parse(from)) / 86_400_000).toBe(29);
});

it('past changes are derived from the stored versions and payments', async () => {
  const changes = () =>
    test.db
      .selectFrom('mrr_changes')
      .select(['user_id', 'kind', 'before_cents', 'after_cents', 'at'])
      .orderBy('user_id')
      .orderBy('position')
      .execute();
  const recorded = await changes();
  await test.db.schema.dropTable('mrr_changes').execute();
  await up(test.db as unknown as Kysely<unknown>);
  const derived = await changes();
  const hourOf = ({ at, ...row }: (typeof derived)[number]) => ({
    ...row,
    hour: Math.round(at.getTime() / 7_200_000),
  });
  expect(derived.map(hourOf)).toEqual(recorded.map(hourOf));
});

it('a change that an older version of the service did not store is stored at night', async () => {
  const [person] = await join(1, {});
  await act(person!, 'upgrade', { plan: 'monthly' });
  const kinds = async () => {
    const rows = await test.db
      .selectFrom('mrr_changes')
      .select('kind')
      .where('user_id', '=', person!.user_id)
      .orderBy('position')
      .execute();
    return rows.map(({ kind }) => kind);
  };
  expect(await kinds()).toEqual(['new']);
  const { data } = await test.deps.stripe.subscriptions.list({
    customer: await customerOf(test, person!),
  });
  await test.deps.stripe.subscriptions.cancel(data[0]!.id);
  await test.settle();
  await test.db
    .deleteFrom('mrr_changes')
    .where('user_id', '=', person!.user_id)
    .where('kind', '=', 'churned')
    .execute();
  expect(await kinds()).toEqual(['new']);
  await test.advance(24);
  await test.repair();
  expect(await kinds()).toEqual(['new', 'churned']);
});
