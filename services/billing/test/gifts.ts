import { randomUUID } from 'node:crypto';
import { dayMs } from '@daylift/clock/durations';
import type { PlanView } from '@daylift/contracts/billing.http';
import type { AdminRole } from '@daylift/contracts/fields';
import type { Gift, GiftCheckout, GiftOffer, RedeemedGift } from '@daylift/contracts/gifts.http';
import { expect } from 'vitest';
import { goodCard } from './cards.ts';
import { origin, type TestBilling } from './harness.ts';
import type { Person } from './lost-days.ts';

/** Buys, redeems and returns gifts. */
export function useGifts(testOf: () => TestBilling) {
  async function call<T>(url: string, payload: object, headers = {}) {
    const response = await testOf().app.inject({ method: 'POST', url, payload, headers });
    return {
      status: response.statusCode,
      body: response.json<T & { code: string; detail: string }>(),
    };
  }
  const wanted = (change: object = {}) => ({
    ...{ months: 3, buyer_name: 'Grace Giver', buyer_email: `${randomUUID()}@buyers.test` },
    ...{ gift_message: 'Good mornings!', origin_url: origin, ...change },
  });
  const open = (change: object = {}) => call<GiftCheckout>('/gifts/checkout', wanted(change));
  const status = async (session: string) =>
    (await testOf().app.inject({ url: `/payments/status/${session}` })).json();
  const codeIn = (text: string) => /\/redeem#(\S+)/.exec(text)?.[1] ?? '';

  async function buy(change: object = {}) {
    const buyer_email = `${randomUUID()}@buyers.test`;
    const { body } = await open({ buyer_email, ...change });
    await testOf().pay(body.session_id, goodCard());
    await testOf().settle();
    const [mail] = await testOf().mails(buyer_email);
    const session = await testOf().deps.stripe.checkout.sessions.retrieve(body.session_id);
    return {
      ...{ session, buyer_email, mail: mail?.text ?? '', code: codeIn(mail?.text ?? '') },
      payment: session.payment_intent as string,
      id: session.metadata?.gift_id ?? '',
    };
  }
  const read = (gift_code: string) => call<GiftOffer>('/gifts/read', { gift_code });
  const redeem = (gift_code: string, { user_id }: Person, isSignedIn = true) =>
    call<RedeemedGift>(
      '/gifts/redeem',
      { gift_code, subscription_id: user_id },
      isSignedIn ? testOf().asUser(user_id) : {},
    );
  const get = async <T>({ user_id }: Person, url: string) =>
    (await testOf().app.inject({ url, headers: testOf().asUser(user_id) })).json<T>();
  const planOf = (person: Person) => get<PlanView>(person, '/users/me/plan');
  const cancelInPortal = async ({ user_id }: Person) => {
    const { stripe_subscription_id } = await testOf()
      .db.selectFrom('subscriptions')
      .select('stripe_subscription_id')
      .where('user_id', '=', user_id)
      .executeTakeFirstOrThrow();
    const { subscriptions } = testOf().deps.stripe;
    const { id, items } = await subscriptions.retrieve(stripe_subscription_id ?? '');
    await subscriptions.update(id, { cancel_at: items.data[0]!.current_period_end });
    await testOf().settle();
  };
  /** Pays a checkout as the signed-in subscriber. Returns the plan. */
  const choosePlan = async (person: Person, change: object = {}) => {
    const { body } = await testOf().checkOut(
      person,
      { ...change },
      testOf().asUser(person.user_id),
    );
    await testOf().pay(body.session_id, goodCard());
    await testOf().settle();
    return { ...(await planOf(person)), session_id: body.session_id, trial_days: body.trial_days };
  };
  const promotion = async (change: object) => {
    const code = `SPRING-${randomUUID().slice(0, 8)}`.toUpperCase();
    const terms = {
      ...{
        code,
        kind: 'percent',
        value: 50,
        plan: null,
        max_uses: null,
        request_key: randomUUID(),
      },
      ...{ first_time_only: false, expires_on: null, ...change },
    };
    expect((await call('/admin/promotions', terms, admin('owner'))).status).toBe(200);
    return code;
  };
  const admin = (role: AdminRole) =>
    testOf().as({
      ...{ kind: 'admin', admin_id: randomUUID(), username: 'olive', role, session_version: 0 },
    });
  const listed = async (id: string, role: AdminRole = 'operator') => {
    const response = await testOf().app.inject({ url: '/admin/gifts', headers: admin(role) });
    return response.json<Gift[]>().find((one) => one.id === id);
  };
  const monthsFromNow = (months: number) => {
    const now = Temporal.Instant.fromEpochMilliseconds(testOf().deps.clock.now().getTime());
    return now.toZonedDateTimeISO('UTC').add({ months }).epochMilliseconds;
  };
  const near = (instant: string | null | undefined, ms: number) =>
    expect(Math.abs(Date.parse(instant ?? '') - ms)).toBeLessThan(dayMs / 2);
  const refund = async (payment_intent: string, amount?: number) => {
    await testOf().deps.stripe.refunds.create({ payment_intent, ...(amount && { amount }) });
    await testOf().settle();
  };
  const dispute = async (payment_intent: string) => {
    const { data } = await testOf().deps.stripe.charges.list({ limit: 100 });
    const charge = data.find((one) => one.payment_intent === payment_intent)?.id;
    const { id } = await testOf().sandbox.call<{ id: string }>('/sandbox/disputes', { charge });
    await testOf().settle();
    return id;
  };
  return {
    call,
    open,
    status,
    codeIn,
    buy,
    read,
    redeem,
    planOf,
    cancelInPortal,
    choosePlan,
    promotion,
    admin,
    listed,
    monthsFromNow,
    near,
    refund,
    dispute,
    get,
  };
}
