import { randomUUID } from 'node:crypto';
import type { AdminAction } from '@daylift/contracts/admin-action';
import type { PlanView, UserInvoice } from '@daylift/contracts/billing.http';
import type { AdminRole } from '@daylift/contracts/fields';
import type { Promotion, PromotionOffer } from '@daylift/contracts/promotions.http';
import { publishedEvents } from '@daylift/testing/published';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { goodCard } from '../../test/cards.ts';
import { journeyMs, startBilling, type TestBilling } from '../../test/harness.ts';

vi.setConfig({ testTimeout: journeyMs });
let test: TestBilling;
beforeAll(async () => {
  test = await startBilling();
});
afterAll(() => test.stop());

const admin = (role: AdminRole = 'owner') =>
  test.as({
    ...{ kind: 'admin', admin_id: randomUUID(), username: 'olive', role, session_version: 0 },
  });
const post = (url: string, payload: object, role?: AdminRole) =>
  test.app.inject({ method: 'POST', url, headers: admin(role), payload });

let count = 0;
async function create(change: object = {}, role?: AdminRole) {
  count += 1;
  const terms = {
    ...{ code: `SUMMER-${count}`, kind: 'percent', value: 50, months: 1, plan: null },
    ...{ max_uses: null, first_time_only: false, expires_on: null, request_key: randomUUID() },
    ...change,
  };
  const response = await post('/admin/promotions', terms, role);
  return {
    status: response.statusCode,
    body: response.json<Promotion & { code: string }>(),
    terms,
  };
}
const codeOf = async (change: object = {}) => (await create(change)).body.code;
const listed = async (code: string) => {
  const response = await test.app.inject({ url: '/admin/promotions', headers: admin('viewer') });
  return response.json<Promotion[]>().find((one) => one.code === code)!;
};
async function offer(code: string, query: Record<string, string> = {}) {
  const search = new URLSearchParams({ plan: 'monthly', ...query });
  const response = await test.app.inject({ url: `/promotions/${code}?${search}` });
  return { status: response.statusCode, body: response.json<PromotionOffer & { code: string }>() };
}
const get = async <T>({ user_id }: { user_id: string }, url: string) =>
  (await test.app.inject({ url, headers: test.asUser(user_id) })).json<T>();
const planOf = (person: { user_id: string }) => get<PlanView>(person, '/users/me/plan');

async function buy(promotion_code: string, change: Record<string, unknown> = {}) {
  const person = await test.signUp(change);
  await test.prove(person);
  const { status, body } = await test.checkOut(person, { promotion_code, plan: person.plan });
  expect(status).toBe(200);
  await test.pay(body.session_id, goodCard());
  await test.settle();
  return { ...person, trial_days: body.trial_days };
}
const mail = async (person: { email: string }, subject: RegExp) =>
  (await test.mails(person.email)).filter((one) => subject.test(one.subject)).at(-1)?.text ?? '';
/** Ends the account's right to a trial, as an earlier account with its phone would have. */
const hadTrial = async (phone_hash: string) => {
  await test.subscribe({ phone_hash });
};

describe('a code', () => {
  it('is created once per request, audited, listed and deactivated', async () => {
    const { body, terms } = await create({ code: 'summer', first_time_only: true, max_uses: 3 });
    expect(body).toMatchObject({
      code: 'SUMMER',
      gives: '50% off the first payment',
      state: 'active',
      url: 'http://pages.test/signup?promo=SUMMER',
      uses: 0,
    });
    expect((await post('/admin/promotions', terms)).json()).toEqual(body);
    const changed = { ...terms, value: 60 };
    expect((await post('/admin/promotions', changed)).json().code).toBe('REQUEST_KEY_REUSED');
    expect((await create({ code: 'SUMMER' })).body.code).toBe('PROMOTION_CODE_TAKEN');
    const url = `/admin/promotions/${body.id}/deactivate`;
    const twice = await Promise.all([post(url, {}), post(url, {})]);
    expect(twice.map((one) => one.json<Promotion>().state)).toEqual(['inactive', 'inactive']);
    await test.settle();
    const codes = await test.deps.stripe.promotionCodes.list({ code: 'SUMMER' });
    expect(codes.data.map(({ active }) => active)).toEqual([false]);
    expect((await create({ code: 'SUMMER' })).status).toBe(200);
    const actions = (await publishedEvents(test.db, 'billing.admin.acted'))
      .map(({ data }) => data as AdminAction)
      .filter(({ target }) => target === body.id);
    expect(actions.map(({ action }) => action)).toEqual([
      'promotion.created',
      'promotion.deactivated',
    ]);
  });

  it('gives one subscriber no more than the operator may give', async () => {
    expect((await create({ plan: 'monthly' }, 'operator')).status).toBe(200);
    expect((await create({ months: null }, 'operator')).body.code).toBe('OVER_OPERATOR_LIMIT');
    const days = { kind: 'free_days', value: 366, months: null };
    expect((await create(days, 'operator')).body.code).toBe('OVER_OPERATOR_LIMIT');
    expect((await create(days)).status).toBe(200);
    expect((await create({}, 'viewer')).status).toBe(403);
  });

  it('never leaves an amount that is too small to charge', async () => {
    const { body } = await create({ kind: 'amount', value: 480 });
    expect(body.code).toBe('PROMOTION_TOO_SMALL');
  });

  it('takes off no more than the price, and lengthens the trial no more than the provider allows', async () => {
    for (const terms of [{ value: 101 }, { kind: 'free_days', value: 701, months: null }]) {
      const { status, body } = await create(terms);
      expect([status, body.code]).toEqual([400, 'PROMOTION_TOO_LARGE']);
    }
  });

  it('is created at the provider once an ended code frees its letters, even if the deactivation was lost', async () => {
    const { promotionCodes, coupons } = test.deps.stripe;
    const active = async (code: string) =>
      (await promotionCodes.list({ code, active: true })).data.length;
    const use = async (person: Person, promotion_code: string) =>
      (await test.checkOut(person, { promotion_code })).status;
    const first = await create({ code: 'REUSED' });
    await test.settle();
    await post(`/admin/promotions/${first.body.id}/deactivate`, {});
    await test.settle();
    const [old] = (await promotionCodes.list({ code: 'REUSED' })).data;
    await promotionCodes.update(old!.id, { active: true });
    await create({ code: 'REUSED' });
    expect(await use(await test.signUp(), 'REUSED')).toBe(200);

    const coupon = (await coupons.create({ percent_off: 10, duration: 'once' })).id;
    const promotion = { type: 'coupon' as const, coupon };
    const foreign = await promotionCodes.create({ code: 'FOREIGN', promotion });
    const own = await create({ code: 'FOREIGN' });
    const person = await test.signUp();
    expect(await use(person, 'FOREIGN')).toBe(503);
    await promotionCodes.update(foreign.id, { active: false });
    expect(await use(person, 'FOREIGN')).toBe(200);
    // As if it had been created without storing its id.
    await test.db
      .updateTable('promotions')
      .set({ provider_id: null })
      .where('id', '=', own.body.id)
      .execute();
    expect(await active('FOREIGN')).toBe(1);
    await post(`/admin/promotions/${own.body.id}/deactivate`, {});
    await test.settle();
    expect(await active('FOREIGN')).toBe(0);
  });

  it.each([
    [{ months: 1 }, '$2.49 for the first month, then $4.99 a month', 249],
    [{ months: 3 }, '$2.49 a month for 3 months, then $4.99 a month', 249],
    [{ months: null }, '$2.49 a month', 249],
    [{ value: 100 }, 'free for the first month, then $4.99 a month', 0],
    [{ kind: 'amount', value: 100 }, '$3.99 for the first month, then $4.99 a month', 399],
    [{ kind: 'free_days', value: 9 }, '$4.99 a month', 499],
  ])('of %j shows "%s" before the checkout', async (terms, price, first_cents) => {
    const shown = await offer((await codeOf(terms)).toLowerCase());
    const trial_days = 'kind' in terms && terms.kind === 'free_days' ? 12 : 3;
    expect(shown.body).toMatchObject({ price, first_cents, trial_days });
  });

  it('is rejected with a reason, and the checkout opens without it', async () => {
    const person = await test.signUp({ phone_hash: 'phone-refused' });
    await hadTrial('phone-refused');
    const yearly = await codeOf({ plan: 'yearly' });
    const newcomers = await codeOf({ first_time_only: true });
    const over = await create();
    await post(`/admin/promotions/${over.body.id}/deactivate`, {});
    const reasons: [string, string][] = [
      ['NO-SUCH-CODE', 'PROMOTION_UNKNOWN'],
      [yearly, 'PROMOTION_FOR_OTHER_PLAN'],
      [over.body.code, 'PROMOTION_OVER'],
      [newcomers, 'PROMOTION_FOR_NEW_CUSTOMERS'],
    ];
    for (const [promotion_code, reason] of reasons) {
      const refused = await test.checkOut(person, { promotion_code });
      expect([refused.status, refused.body]).toMatchObject([409, { code: reason }]);
      const shown = await offer(promotion_code, { subscription_id: person.user_id });
      expect([shown.status, shown.body.code]).toEqual([409, reason]);
    }
    const ended = await create({ max_uses: 1 });
    await test.settle();
    const { data } = await test.deps.stripe.promotionCodes.list({ code: ended.body.code });
    await test.deps.stripe.promotionCodes.update(data[0]!.id, { active: false });
    const other = await test.signUp();
    const atProvider = await test.checkOut(other, { promotion_code: ended.body.code });
    expect([atProvider.status, atProvider.body]).toMatchObject([409, { code: 'PROMOTION_OVER' }]);
    expect((await offer(ended.body.code)).status).toBe(200);
    expect((await test.checkOut(other)).status).toBe(200);
    expect((await test.checkOut(person)).status).toBe(200);
  });

  it('is never used beyond its limit, even by concurrent checkouts', async () => {
    const code = await codeOf({ max_uses: 2 });
    const people = await Promise.all(Array.from({ length: 6 }, () => test.signUp()));
    const clicks = [...people, ...people];
    const responses = await Promise.all(
      clicks.map((person) => test.checkOut(person, { promotion_code: code })),
    );
    const opened = clicks.filter((_, n) => responses[n]!.status === 200);
    expect(new Set(opened.map(({ user_id }) => user_id)).size).toBe(2);
    expect((await offer(code)).body.code).toBe('PROMOTION_USED_UP');
  });
});

it('discounts show in every price, email, invoice and figure, until they end', async () => {
  const [once, twoMonths, forever, expired] = [
    await codeOf(),
    await codeOf({ months: 2 }),
    await codeOf({ kind: 'amount', value: 100, months: null }),
    await codeOf({ expires_on: '2027-03-07' }),
  ];
  const [person, switcher, leaver, two, always, year] = [
    await buy(once),
    await buy(once),
    await buy(once),
    await buy(twoMonths),
    await buy(forever),
    await buy(await codeOf({ months: 12 }), { plan: 'yearly' }),
  ];
  const price = '$2.49 for the first month, then $4.99 a month';
  expect(await planOf(person)).toMatchObject({
    offer: { code: once, price },
    next_charge: { amount_cents: 249 },
  });
  expect(await mail(person, /trial has started/)).toContain(`Then: ${price}`);
  const preview = '/users/me/plan/preview?action=switch&plan=yearly';
  expect(await get(switcher, preview)).toMatchObject({ next_charge: { amount_cents: 2499 } });
  await change(switcher, 'switch', { plan: 'yearly' });
  expect(await planOf(switcher)).toMatchObject({
    offer: { price: '$24.99 for the first year, then $49.99 a year' },
  });
  await change(leaver, 'cancel');

  await test.advance(80);
  expect((await offer(expired)).body.code).toBe('PROMOTION_OVER');
  expect(await mail(person, /trial ends on/)).toContain(`Your price: ${price}.`);
  expect(await mail(person, /receipt/)).toContain('Discount: $2.50\nAmount: $2.49');
  const second = await test.checkOut(leaver, { promotion_code: once }, test.asUser(leaver.user_id));
  expect([second.status, second.body]).toMatchObject([409, { code: 'PROMOTION_ALREADY_USED' }]);
  const exported = await test.app.inject({
    url: `/internal/export/${person.user_id}`,
    headers: test.as({ kind: 'service', name: 'accounts' }),
  });
  expect(exported.json().checkouts).toMatchObject([{ status: 'complete', promotion_code: once }]);
  const paidFor = await planOf(person);
  expect(paidFor.offer).toBeUndefined();
  expect(paidFor.next_charge).toMatchObject({ amount_cents: 499 });
  expect(await listed(once)).toMatchObject({
    ...{ uses: 3, paying: 2, revenue_cents: 249 + 2499, discount_cents: 250 + 2500 },
  });
  const mrr = await Promise.all([person, two, always, year].map(mrrOf));
  expect(mrr).toEqual([[499], [249], [399], [417]]);
  expect(await get(always, preview)).toMatchObject({ next_charge: { amount_cents: 4899 } });
  // As if an older version had stored them: the next comparison stores them again.
  const stored = test.db.updateTable('subscriptions');
  await stored.set({ promotion_id: null }).where('user_id', '=', two.user_id).execute();
  await stored.set({ recurring_discount_cents: 0 }).where('user_id', '=', always.user_id).execute();
  await test.advance(26);
  await test.repair();
  expect(await planOf(two)).toMatchObject({ offer: { code: twoMonths } });
  expect(
    await test.db
      .selectFrom('subscriptions')
      .select('recurring_discount_cents')
      .where('user_id', '=', always.user_id)
      .executeTakeFirst(),
  ).toEqual({ recurring_discount_cents: 100 });

  await test.advance(61 * 24);
  const paid = async (who: Person) =>
    (await get<UserInvoice[]>(who, '/users/me/invoices')).map(
      ({ amount_cents, discount_cents = 0 }) => [amount_cents, discount_cents],
    );
  const full = [499, 0];
  const half = [249, 250];
  expect(await paid(person)).toEqual([full, full, half]);
  expect(await paid(two)).toEqual([full, half, half]);
  expect(await mrrOf(two)).toEqual([249, 499]);
});

type Person = { user_id: string };
const change = (person: Person, action: string, payload?: object) =>
  test.app.inject({
    method: 'POST',
    url: `/users/me/plan/${action}`,
    headers: test.asUser(person.user_id),
    ...(payload && { payload }),
  });
const mrrOf = async ({ user_id }: Person) => {
  const rows = await test.db
    .selectFrom('mrr_changes')
    .select('after_cents')
    .where('user_id', '=', user_id)
    .orderBy('position')
    .execute();
  return rows.map(({ after_cents }) => after_cents);
};

it('free days lengthen the trial, keep referral credit, and a card with an earlier trial ends them', async () => {
  const referrer = await test.subscribe();
  const code = await codeOf({ kind: 'free_days', value: 9, months: null });
  const friend = await buy(code, { referrer_user_id: referrer.user_id });
  expect(friend.trial_days).toBe(12);
  const trial = await planOf(friend);
  expect(trial).toMatchObject({ status: 'trial', next_charge: { amount_cents: 499 } });
  const days = (Date.parse(trial.trial_end_date!) - test.deps.clock.now().getTime()) / 86_400_000;
  expect(Math.round(days)).toBe(12);
  const card = goodCard();
  await test.subscribe({}, card);
  const farmer = await test.signUp();
  const { body } = await test.checkOut(farmer, { promotion_code: code });
  await test.pay(body.session_id, card);
  await test.settle();
  expect(await planOf(farmer)).toMatchObject({ status: 'active' });
  await test.advance(12 * 24 + 3);
  expect(await planOf(friend)).toMatchObject({ status: 'active' });
  expect(await planOf(referrer)).toMatchObject({ credit_cents: 125 });
  expect(await listed(code)).toMatchObject({ uses: 2, paying: 2, discount_cents: 0 });
});

it('a code for one plan ends with that plan, and emails about a free first payment say what follows', async () => {
  const monthly = await codeOf({ plan: 'monthly' });
  const [mover, upgrader] = [await buy(monthly), await buy(monthly)];
  const previewOf = (action: string, plan: string) =>
    get(mover, `/users/me/plan/preview?action=${action}&plan=${plan}`);
  expect(await previewOf('upgrade', 'monthly')).toMatchObject({ charge_now_cents: 249 });
  expect(await previewOf('upgrade', 'yearly')).toMatchObject({ charge_now_cents: 4999 });
  expect(await previewOf('switch', 'yearly')).toMatchObject({
    next_charge: { amount_cents: 4999 },
  });
  await change(mover, 'switch', { plan: 'yearly' });
  await change(upgrader, 'upgrade', { plan: 'yearly' });
  expect((await planOf(mover)).offer).toBeUndefined();

  const free = await codeOf({ value: 100 });
  const [starter, farmer, always] = [
    await buy(free),
    await buy(free),
    await buy(await codeOf({ value: 100, months: null })),
  ];
  const earlier = await test.subscribe();
  await test.prove(earlier);
  for (const person of [mover, farmer])
    await test.prove(person, { phone_hash: earlier.phone_hash });
  await test.settle();
  for (const person of [mover, upgrader]) {
    const [bill] = await get<UserInvoice[]>(person, '/users/me/invoices');
    expect(bill).toMatchObject({ amount_cents: 4999 });
  }
  const next = 'Your first payment is $4.99, on ';
  expect(await mail(farmer, /subscription has started/)).toContain(
    `so your subscription starts now. Nothing is charged today. ${next}`,
  );
  const started = await mail(starter, /trial has started/);
  expect(started).not.toContain('First charge');
  const [, ends = '', pays = ''] =
    /Nothing is charged on (.+)\. Your first payment is \$4\.99, on (.+)\./.exec(started) ?? [];
  const days = Math.round((Date.parse(pays) - Date.parse(ends)) / 86_400_000);
  expect([28, 29, 30, 31]).toContain(days);
  await test.advance(49);
  const reminder = await mail(starter, /trial ends on/);
  expect(reminder).toContain(`Nothing is charged then. ${next}${pays}.`);
  expect(await mail(always, /trial ends on/)).toContain(
    'Nothing is charged then: with your code, every payment is free.',
  );
});
