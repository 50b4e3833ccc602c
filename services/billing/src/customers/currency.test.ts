import { randomUUID } from 'node:crypto';
import type {
  BillingFigures,
  LostDaySettings,
  PlanPreview,
  PlanView,
  PublicCatalogue,
  ReferralFigures,
  StaffOptions,
  UserInvoice,
} from '@daylift/contracts/billing.http';
import type { Business } from '@daylift/contracts/business.http';
import type { GiftCheckout } from '@daylift/contracts/gifts.http';
import type { PriceMoves } from '@daylift/contracts/price-moves.http';
import type { Promotion, PromotionOffer } from '@daylift/contracts/promotions.http';
import { countryOf } from '@daylift/server/phone-number';
import { publishedEvents } from '@daylift/testing/published';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { goodCard } from '../../test/cards.ts';
import { journeyMs, origin, startBilling, type TestBilling } from '../../test/harness.ts';
import { customerOf, useLostDays } from '../../test/lost-days.ts';

vi.setConfig({ testTimeout: journeyMs * 2, hookTimeout: journeyMs });
let test: TestBilling;
let early: Person;
beforeAll(async () => {
  test = await startBilling({ environment: { COUNTRY_CURRENCIES: 'GB:gbp,DE:eur' } });
  // Opens a checkout before the setting is turned on, at a version that stored no currency.
  const { countryCurrencies } = test.deps;
  test.deps.countryCurrencies = new Map();
  early = await test.signUp({ country: 'GB' });
  await test.checkOut(early);
  await test.db
    .updateTable('customers')
    .set({ currency: null })
    .where('user_id', '=', early.user_id)
    .execute();
  test.deps.countryCurrencies = countryCurrencies;
});
afterAll(() => test.stop());

type Person = { user_id: string; email: string };

async function call<T>({ user_id }: Person, path: string, payload?: object): Promise<T> {
  const body = await test.callAsUser<T>(user_id, path, payload);
  await test.settle();
  return body;
}
async function owner<T>(path: string, payload?: object): Promise<T> {
  const response = await test.app.inject({
    method: payload ? 'POST' : 'GET',
    url: `/admin/${path}`,
    headers: test.as({
      ...{ kind: 'admin', admin_id: randomUUID(), username: 'olive', role: 'owner' },
      session_version: 0,
    }),
    ...(payload && { payload: { ...payload, request_key: randomUUID() } }),
  });
  await test.settle();
  return response.json();
}
const view = (person: Person) => call<PlanView>(person, 'plan');
async function paying(country: string, facts: object = {}): Promise<Person> {
  const person = await test.subscribe({ country, ...facts });
  await test.prove(person);
  await call(person, 'plan/upgrade', { plan: 'monthly' });
  return person;
}
async function chargesOf(person: Person) {
  const customer = await customerOf(test, person);
  const { data } = await test.deps.stripe.charges.list({ customer });
  return data.map(({ amount, currency }) => [amount, currency]).reverse();
}
async function marginUntil(day: string): Promise<number | null | undefined> {
  const { figures } = await owner<Business>(`business?from=2027-03-01&to=${day}`);
  return figures.find(({ id }) => id === 'gross_margin')?.value;
}
const mailOf = async ({ email }: Person, subject: string) =>
  (await test.mails(email)).filter((one) => one.subject.startsWith(subject)).at(-1)?.text ?? '';

it('computes a margin until a subscriber has paid in another currency', async () => {
  await paying('US');
  await test.checkOut(await test.signUp({ country: 'GB' }));
  expect(await marginUntil('2027-03-05')).toBe(100);
  await test.advance(22);
});

it('charges and informs a subscriber in the currency of their country', async () => {
  const sold = (await test.app.inject('/plans')).json<PublicCatalogue>();
  expect(sold.currency).toBe('usd');
  expect(sold.countries.find(({ country }) => country === 'GB')?.currency).toBe('gbp');
  const shown = (await test.app.inject('/plans?currency=gbp')).json<PublicCatalogue>();
  expect([shown.currency, shown.plans[0]?.price_cents]).toEqual(['gbp', 449]);

  const person = await test.subscribe({ country: 'GB' });
  await test.prove(person);
  expect(await view(person)).toMatchObject({
    ...{ currency: 'gbp', price_cents: 449, next_charge: { amount_cents: 449 } },
  });
  expect(await mailOf(person, 'Your free trial')).toContain('£4.49 a month');
  const upgrade = await call<PlanPreview>(person, 'plan/preview?action=upgrade&plan=monthly');
  expect(upgrade).toMatchObject({ charge_now_cents: 449, currency: 'gbp' });
  await call(person, 'plan/upgrade', { plan: 'monthly', charge_now_cents: 449 });
  expect(await mailOf(person, 'Your receipt')).toContain('Amount: £4.49');

  const change = await call<PlanPreview>(person, 'plan/preview?action=switch&plan=yearly');
  expect(change).toMatchObject({ charge_now_cents: 4499 - 449, currency: 'gbp' });
  await call(person, 'plan/switch', { plan: 'yearly', charge_now_cents: 4499 - 449 });
  expect(await chargesOf(person)).toEqual([
    [449, 'gbp'],
    [4050, 'gbp'],
  ]);
  const invoices = await call<UserInvoice[]>(person, 'invoices');
  const invoice = invoices.find(({ amount_cents }) => amount_cents === 4050);
  expect(invoice).toMatchObject({ currency: 'gbp' });

  const about = `subscriptions/${person.user_id}`;
  expect(await owner<StaffOptions>(`${about}/options`)).toMatchObject({ currency: 'gbp' });
  const request = { reason: 'Asked for it', amount_cents: 100 };
  await owner(`${about}/refund`, { ...request, invoice_id: invoice?.id });
  expect(await mailOf(person, "We've refunded")).toContain("We've refunded £1.00");
  await owner(`${about}/credit`, request);
  expect(await mailOf(person, "We've given you a £1.00 credit")).not.toBe('');
  expect(await view(person)).toMatchObject({ credit_cents: 100, currency: 'gbp' });
});

it('sells a gift in the currency that its page shows', async () => {
  const buyer = { buyer_name: 'Grace Giver', buyer_email: 'grace@buyers.test' };
  const payload = { months: 3, currency: 'gbp', origin_url: origin, ...buyer };
  const response = await test.app.inject({ method: 'POST', url: '/gifts/checkout', payload });
  const { session_id } = response.json<GiftCheckout>();
  const session = await test.deps.stripe.checkout.sessions.retrieve(session_id);
  expect(session).toMatchObject({ currency: 'gbp', amount_total: 3 * 449 });
  await test.pay(session_id);
  await test.settle();
  const [mail] = await test.mails(buyer.buyer_email);
  expect(mail?.text).toContain('Amount: £13.47');
});

it('charges a number of no known country in the currency of its calling code', async () => {
  const country = countryOf('+447700900123');
  expect(country).toBe('+44');
  const person = await test.signUp({ country });
  expect((await test.checkOut(person)).body.currency).toBe('gbp');
  expect((await test.checkOut(early)).body.currency).toBe('usd');
});

it('keeps the currency of a subscriber who signed up before the setting was turned on', async () => {
  const { body } = await test.checkOut(early);
  await test.pay(body.session_id, goodCard());
  await test.settle();
  await call(early, 'plan/upgrade', { plan: 'monthly' });
  expect(await view(early)).toMatchObject({ currency: 'usd', price_cents: 499 });
  expect(await chargesOf(early)).toEqual([[499, 'usd']]);
});

it("keeps a subscriber's currency when their number changes to another country", async () => {
  const person = await test.signUp({ country: 'GB' });
  await test.checkOut(person);
  await test.prove(person, { country: 'DE' });
  expect(await view(person)).toMatchObject({ currency: 'gbp' });
});

it('credits a referral in the currency of the referrer', async () => {
  const british = await test.subscribe({ country: 'GB' });
  await test.prove(british);
  const american = await test.subscribe({ country: 'US' });
  // Has no customer at the provider yet.
  const german = await test.signUp({ country: 'DE' });
  await paying('US', { referrer_user_id: british.user_id });
  await paying('GB', { referrer_user_id: american.user_id });
  await paying('US', { referrer_user_id: german.user_id });
  await test.prove(german, { country: 'US' });
  const figures = (person: Person) => call<ReferralFigures>(person, 'referrals');
  expect(await figures(british)).toMatchObject({ credit_cents: 110, currency: 'gbp' });
  expect(await figures(american)).toMatchObject({ credit_cents: 125, currency: 'usd' });
  expect(await figures(german)).toMatchObject({ earned_cents: 125, currency: 'eur' });
  expect(await mailOf(british, "You've earned £1.10")).not.toBe('');
  const { body } = await test.checkOut(german);
  await test.pay(body.session_id, goodCard());
  await test.settle();
  expect(await figures(german)).toMatchObject({ credit_cents: 125, currency: 'eur' });
});

it('accepts an amount-off code only in its own currency', async () => {
  const terms = {
    ...{ kind: 'amount', value: 200, months: 1, plan: null },
    ...{ max_uses: null, first_time_only: false, expires_on: null },
  };
  await owner('promotions', { ...terms, code: 'DOLLARS' });
  const pounds = await owner<Promotion>('promotions', {
    ...terms,
    code: 'POUNDS',
    currency: 'gbp',
  });
  expect(pounds.gives).toBe('£2.00 off the first payment');
  const offer = async (code: string, query: string) =>
    (await test.app.inject(`/promotions/${code}?plan=monthly&${query}`)).json<
      PromotionOffer & { code: string }
    >();
  expect(await offer('POUNDS', 'currency=gbp')).toMatchObject({
    first_cents: 249,
    currency: 'gbp',
  });
  expect((await offer('POUNDS', '')).code).toBe('PROMOTION_FOR_OTHER_CURRENCY');
  const person = await test.signUp({ country: 'GB' });
  await test.prove(person);
  expect((await offer('DOLLARS', `subscription_id=${person.user_id}`)).code).toBe(
    'PROMOTION_FOR_OTHER_CURRENCY',
  );
  expect((await test.checkOut(person, { promotion_code: 'DOLLARS' })).status).toBe(409);
  const { body } = await test.checkOut(person, { promotion_code: 'POUNDS' });
  await test.pay(body.session_id, goodCard());
  await test.settle();
  expect(await view(person)).toMatchObject({ next_charge: { amount_cents: 249 } });
  expect(await mailOf(person, 'Your free trial')).toContain('£2.49 for the first month');
});

it('shows payments, discounts and credit in each currency', async () => {
  const british = await test.signUp({ country: 'GB' });
  await test.prove(british);
  await owner('promotions', {
    ...{ kind: 'percent', value: 50, months: 1, plan: null, code: 'HALF' },
    ...{ max_uses: null, first_time_only: false, expires_on: null },
  });
  const { body } = await test.checkOut(british, { promotion_code: 'HALF' });
  await test.pay(body.session_id, goodCard());
  await test.settle();
  await call(british, 'plan/upgrade', { plan: 'monthly' });
  const half = (await owner<Promotion[]>('promotions')).find(({ code }) => code === 'HALF');
  expect(half).toMatchObject({
    ...{ revenue_cents: 0, discount_cents: 0, currency: 'usd' },
    others: [{ currency: 'gbp', revenue_cents: 224, discount_cents: 225 }],
  });

  const { lostDay, publish, inHours } = useLostDays(() => test);
  await publish([lostDay(british, inHours(48)), lostDay(await paying('US'), inHours(48))]);
  await test.settle();
  const { this_month } = await owner<LostDaySettings>('settings/lost-days');
  expect(this_month).toMatchObject({
    ...{ days: 2, credit_cents: 17, currency: 'usd' },
    others: [{ currency: 'gbp', credit_cents: 8 }],
  });
});

it('moves only the subscribers of a currency to its new price', async () => {
  const person = await paying('DE');
  const other = await paying('US');
  const { monthly } = test.deps.catalogues.eur.plans;
  monthly.price_cents = 599;
  test.deps.prices.forget();
  const { groups } = await owner<PriceMoves>('price-moves');
  expect(groups).toMatchObject([{ currency: 'eur', from_cents: 499, to_cents: 599 }]);
  const move = { plan: 'monthly', from_cents: 499, to_cents: 599, reason: 'Texts cost more' };
  expect(await owner('price-moves', move)).toMatchObject({ code: 'PRICES_CHANGED' });
  await owner('price-moves', { ...move, currency: 'eur' });
  await test.advance(2);
  expect(await mailOf(person, 'Your price changes')).toContain('from €4.99 a month to €5.99');
  await test.advance(62 * 24);
  expect((await chargesOf(person)).at(-1)).toEqual([599, 'eur']);
  expect((await chargesOf(other)).at(-1)).toEqual([499, 'usd']);
  monthly.price_cents = 499;
});

it('never adds amounts in different currencies, and matches the ledger in each', async () => {
  const today = test.deps.clock.now().toISOString().slice(0, 10);
  const read = (currency: string) =>
    owner<Business>(`business?from=2027-03-01&to=${today}&currency=${currency}`);
  const ledger: Record<string, number> = {};
  for await (const { currency, amount, amount_refunded } of test.deps.stripe.charges.list())
    ledger[currency] = (ledger[currency] ?? 0) + amount - amount_refunded;
  expect(Object.keys(ledger).sort()).toEqual(['eur', 'gbp', 'usd']);
  const { revenue } = (
    await test.app.inject({
      url: '/internal/analytics/billing',
      headers: test.as({ kind: 'service', name: 'gateway' }),
    })
  ).json<BillingFigures>();
  for (const currency of ['usd', 'gbp', 'eur']) {
    const business = await read(currency);
    const figure = (name: string) => business.figures.find(({ id }) => id === name)?.value;
    expect(business).toMatchObject({ currency, currencies: ['usd', 'gbp', 'eur'] });
    expect(figure('revenue')).toBe(ledger[currency]);
    const { total_cents, others = [] } = revenue;
    const sums = [{ currency: 'usd', total_cents }, ...others];
    expect(sums.find((one) => one.currency === currency)?.total_cents).toBe(ledger[currency]);
    const active = await test.db
      .selectFrom('subscriptions')
      .innerJoin('customers', 'customers.user_id', 'subscriptions.user_id')
      .select('customers.currency')
      .where('subscriptions.status', '=', 'active')
      .execute();
    const own = active.filter((one) => (one.currency ?? 'usd') === currency);
    expect(figure('paying')).toBe(own.length);
    expect(figure('text_cost') === null).toBe(currency !== 'usd');
    for (const name of ['gross_margin', 'ltv', 'text_cost_per_paying'])
      expect(figure(name)).toBeNull();
  }
  expect(await marginUntil('2027-03-05')).toBe(100);
  const [closed] = (await publishedEvents(test.db, 'billing.month.closed')).slice(-1);
  const { figures } = closed!.data as { figures: { name: string; value: string }[] };
  expect(figures.find(({ name }) => name === 'MRR at end')?.value).toMatch(/^\$/);
  expect(figures.find(({ name }) => name === 'MRR at end (GBP)')?.value).toMatch(/^£/);
  expect(figures.find(({ name }) => name === 'MRR at end (EUR)')?.value).toMatch(/^€/);
});
