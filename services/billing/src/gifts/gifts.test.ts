import { randomUUID } from 'node:crypto';
import { dayMs, hourMs } from '@daylift/clock/durations';
import type { AdminAction } from '@daylift/contracts/admin-action';
import type { PlanView, UserSubscription } from '@daylift/contracts/billing.http';
import type { AdminRole } from '@daylift/contracts/fields';
import type { Gift, GiftCheckout, GiftOffer, RedeemedGift } from '@daylift/contracts/gifts.http';
import { publishedEvents } from '@daylift/testing/published';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { goodCard } from '../../test/cards.ts';
import { payments } from '../../test/disputes.ts';
import { journeyMs, origin, startBilling, type TestBilling } from '../../test/harness.ts';
import { useLostDays } from '../../test/lost-days.ts';
import type { Trx } from '../database.ts';
import { taskHandlers } from '../tasks.ts';

vi.setConfig({ testTimeout: journeyMs });
let test: TestBilling;
let money: ReturnType<typeof payments>;
beforeAll(async () => {
  test = await startBilling();
  money = payments(test);
});
afterAll(() => test.stop());
beforeEach(() => test.faults({}));

type Person = { user_id: string };
async function call<T>(url: string, payload: object, headers = {}) {
  const answer = await test.app.inject({ method: 'POST', url, payload, headers });
  return { status: answer.statusCode, body: answer.json<T & { code: string; detail: string }>() };
}
const wanted = (change: object = {}) => ({
  ...{ months: 3, buyer_name: 'Grace Giver', buyer_email: `${randomUUID()}@buyers.test` },
  ...{ gift_message: 'Good mornings!', origin_url: origin, ...change },
});
const open = (change: object = {}) => call<GiftCheckout>('/gifts/checkout', wanted(change));
const status = async (session: string) =>
  (await test.app.inject({ url: `/payments/status/${session}` })).json();
const codeIn = (text: string) => /\/redeem#(\S+)/.exec(text)?.[1] ?? '';

async function buy(change: object = {}) {
  const buyer_email = `${randomUUID()}@buyers.test`;
  const { body } = await open({ buyer_email, ...change });
  await test.pay(body.session_id, goodCard());
  await test.settle();
  const [mail] = await test.mails(buyer_email);
  const session = await test.deps.stripe.checkout.sessions.retrieve(body.session_id);
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
    isSignedIn ? test.asUser(user_id) : {},
  );
const get = async <T>({ user_id }: Person, url: string) =>
  (await test.app.inject({ url, headers: test.asUser(user_id) })).json<T>();
const planOf = (person: Person) => get<PlanView>(person, '/users/me/plan');
const cancelInPortal = async ({ user_id }: Person) => {
  const { stripe_subscription_id } = await test.db
    .selectFrom('subscriptions')
    .select('stripe_subscription_id')
    .where('user_id', '=', user_id)
    .executeTakeFirstOrThrow();
  const { subscriptions } = test.deps.stripe;
  const { id, items } = await subscriptions.retrieve(stripe_subscription_id ?? '');
  await subscriptions.update(id, { cancel_at: items.data[0]!.current_period_end });
  await test.settle();
};
/** Pays a checkout as the signed-in subscriber. Returns the plan. */
const choosePlan = async (person: Person, change: object = {}) => {
  const { body } = await test.checkOut(person, { ...change }, test.asUser(person.user_id));
  await test.pay(body.session_id, goodCard());
  await test.settle();
  return { ...(await planOf(person)), session_id: body.session_id, trial_days: body.trial_days };
};
const promotion = async (change: object) => {
  const code = `SPRING-${randomUUID().slice(0, 8)}`.toUpperCase();
  const terms = {
    ...{ code, kind: 'percent', value: 50, plan: null, max_uses: null, request_key: randomUUID() },
    ...{ first_time_only: false, expires_on: null, ...change },
  };
  expect((await call('/admin/promotions', terms, admin('owner'))).status).toBe(200);
  return code;
};
const admin = (role: AdminRole) =>
  test.as({
    ...{ kind: 'admin', admin_id: randomUUID(), username: 'olive', role, session_version: 0 },
  });
const listed = async (id: string, role: AdminRole = 'operator') => {
  const answer = await test.app.inject({ url: '/admin/gifts', headers: admin(role) });
  return answer.json<Gift[]>().find((one) => one.id === id);
};
const monthsFromNow = (months: number) => {
  const now = Temporal.Instant.fromEpochMilliseconds(test.deps.clock.now().getTime());
  return now.toZonedDateTimeISO('UTC').add({ months }).epochMilliseconds;
};
const near = (instant: string | null | undefined, ms: number) =>
  expect(Math.abs(Date.parse(instant ?? '') - ms)).toBeLessThan(dayMs / 2);
const refund = async (payment_intent: string, amount?: number) => {
  await test.deps.stripe.refunds.create({ payment_intent, ...(amount && { amount }) });
  await test.settle();
};
const dispute = async (payment_intent: string) => {
  const { data } = await test.deps.stripe.charges.list({ limit: 100 });
  const charge = data.find((one) => one.payment_intent === payment_intent)?.id;
  const { id } = await test.sandbox.call<{ id: string }>('/sandbox/disputes', { charge });
  await test.settle();
  return id;
};

describe('buying a gift', () => {
  it.each([
    [1, 499],
    [3, 1497],
    [6, 2994],
    [12, 4999],
  ])('of %i months costs %i cents, from the catalogue', async (months, amount_total) => {
    const { body } = await open({ months });
    const session = await test.deps.stripe.checkout.sessions.retrieve(body.session_id);
    expect(session).toMatchObject({ amount_total, mode: 'payment', status: 'open' });
    expect(await status(body.session_id)).toEqual({ payment_status: 'pending', open: true });
  });

  it('is fulfilled once by webhook and success page, and emails the link only to the buyer', async () => {
    const { body } = await open({ buyer_email: 'Once@Buyers.test' });
    await Promise.all([test.pay(body.session_id), ...[1, 2, 3].map(() => status(body.session_id))]);
    const again = [1, 2, 3].map(() =>
      taskHandlers.fulfil_checkout(test.deps, body.session_id, 'again'),
    );
    await Promise.all(again);
    await test.settle();
    await test.faults({ stripe_down: true });
    expect(await status(body.session_id)).toEqual({ payment_status: 'paid' });
    await test.faults({});
    const mails = await test.mails('once@buyers.test');
    expect(mails.map(({ subject }) => subject)).toEqual(['Your gift of 3 months of Daylift']);
    expect(mails[0]?.text).toContain('Amount: $14.97');
    expect(mails[0]?.text).toMatch(/\nhttp:\/\/pages\.test\/redeem#[\w-]{43}\n/);
    expect(mails[0]?.text).not.toContain('Good mornings!');
    expect(mails[0]?.html).toMatch(/<tr><th>PDF<\/th><td><a href="http/);
    expect(mails[0]?.html).not.toContain('class="button"');
    const code = codeIn(mails[0]?.text ?? '');
    const stored = await test.db.selectFrom('gifts').selectAll().execute();
    const left = await test.db.selectFrom('mails').selectAll().execute();
    expect(JSON.stringify([stored, left])).not.toContain(code);
    expect(left.filter(({ to_address }) => to_address === 'once@buyers.test')).toEqual([]);
  });

  it('is fulfilled when its page expires, if a process of the previous version took the event', async () => {
    const previous = vi.spyOn(taskHandlers, 'fulfil_checkout').mockResolvedValue();
    const buyer_email = `${randomUUID()}@buyers.test`;
    const { body } = await open({ buyer_email });
    await test.pay(body.session_id, goodCard());
    await test.settle();
    expect(await test.mails(buyer_email)).toEqual([]);
    previous.mockRestore();
    await test.advance(1.1);
    expect(await test.mails(buyer_email)).toHaveLength(1);
  });

  it('leaves a payment that an operator requested at the provider alone', async () => {
    const { stripe } = test.deps;
    const { id } = await stripe.checkout.sessions.create({
      ...{ mode: 'payment', customer_creation: 'always', invoice_creation: { enabled: true } },
      ...{ success_url: origin, customer_email: 'guest@buyers.test' },
      line_items: [
        {
          price_data: { currency: 'usd', unit_amount: 900, product_data: { name: 'A talk' } },
          quantity: 1,
        },
      ],
    });
    await test.pay(id);
    await taskHandlers.fulfil_checkout(test.deps, id, 'again');
    await test.settle();
    expect(await test.mails('guest@buyers.test')).toEqual([]);
  });

  it('returns the open page to the same request, and limits open pages per email', async () => {
    const buyer_email = 'many@buyers.test';
    await test.faults({ stripe_down: true });
    expect((await open({ buyer_email, gift_message: '0' })).status).toBe(503);
    await test.faults({});
    const pages = [];
    for (const gift_message of ['1', '1', '2', '3', '4', '5', '6'])
      pages.push(await open({ buyer_email, gift_message }));
    expect(pages.map((one) => one.status)).toEqual([200, 200, 200, 200, 200, 200, 409]);
    expect(pages[1]?.body).toEqual(pages[0]?.body);
    expect(pages.at(-1)?.body.code).toBe('TOO_MANY_GIFTS');
    expect((await open({ origin_url: 'http://evil.test' })).status).toBe(400);
    expect((await open({ currency: 'gbp' })).body.code).toBe('CURRENCY_NOT_SOLD');
  });
});

describe('redeeming a gift', () => {
  it('gives a new signup the months without a card and a trial, exactly once in parallel', async () => {
    const { code, id } = await buy();
    expect((await read(code)).body).toEqual({
      ...{ months: 3, buyer_name: 'Grace Giver', message: 'Good mornings!' },
    });
    const people = await Promise.all([1, 2, 3].map(() => test.signUp()));
    const answers = await Promise.all(
      [...people, ...people].map((person) => redeem(code, person, false)),
    );
    const winners = new Set(
      answers.flatMap(({ status: code }, n) => (code === 200 ? [people[n % 3]!.user_id] : [])),
    );
    expect(winners.size).toBe(1);
    expect(new Set(answers.map(({ body }) => body.code ?? body.until)).size).toBe(2);
    expect(answers.map(({ body }) => body.code)).toContain('GIFT_USED');
    await test.settle();
    const winner = people.find(({ user_id }) => winners.has(user_id))!;
    const state = await test.state(winner.user_id);
    expect(state).toMatchObject({ entitled: true });
    near(state?.entitled_until, monthsFromNow(3));
    expect(await test.states(winner.user_id)).toHaveLength(1);
    expect(await get<UserSubscription>(winner, '/users/me/subscription')).toMatchObject({
      status: 'active',
    });
    expect((await planOf(winner)).next_charge).toBeNull();
    const loser = people.find(({ user_id }) => !winners.has(user_id))!;
    expect(await test.states(loser.user_id)).toEqual([]);
    expect((await read(code)).body.code).toBe('GIFT_USED');
    expect(await listed(id, 'viewer')).toMatchObject({
      ...{ state: 'redeemed', paid_cents: 1497, redeemed_by: { id: winner.user_id } },
      buyer_email: expect.stringMatching(/•••@buyers\.test$/),
    });
    const { next_charge } = await choosePlan(winner);
    near(next_charge?.at, monthsFromNow(3));
  });

  it('moves the next charge of a plan, adds up, and needs a session once there is a plan', async () => {
    const person = await money.payer();
    const before = Date.parse((await planOf(person)).next_charge?.at ?? '');
    const [first, second] = [await buy({ months: 1 }), await buy({ months: 6 })];
    expect((await redeem(first.code, person, false)).body.code).toBe('GIFT_NEEDS_SIGN_IN');
    const answers = await Promise.all([first, second].map(({ code }) => redeem(code, person)));
    expect(answers.map((one) => one.status)).toEqual([200, 200]);
    await test.settle();
    const start = Temporal.Instant.fromEpochMilliseconds(before).toZonedDateTimeISO('UTC');
    const plan = await planOf(person);
    near(plan.next_charge?.at, start.add({ months: 7 }).epochMilliseconds);
    expect(plan).toMatchObject({ status: 'active', next_charge: { amount_cents: 499 } });
    const long = [await buy({ months: 12 }), await buy({ months: 12 })];
    expect((await redeem(long[0]!.code, person)).status).toBe(200);
    await test.settle();
    expect((await redeem(long[1]!.code, person)).body.code).toBe('GIFT_TOO_LONG');
    expect((await read(long[1]!.code)).status).toBe(200);
  });

  it('adds up if the second is redeemed just after the first has moved the charge', async () => {
    const person = await money.payer();
    const before = Date.parse((await planOf(person)).next_charge?.at ?? '');
    const [first, second] = [await buy({ months: 1 }), await buy({ months: 6 })];
    const { subscriptions } = test.deps.stripe;
    const [retrieve, update] = [
      subscriptions.retrieve.bind(subscriptions),
      subscriptions.update.bind(subscriptions),
    ];
    const statuses: number[] = [];
    let hasMoved = false;
    const updates = vi.spyOn(subscriptions, 'update').mockImplementation(async (...request) => {
      const updated = await update(...request);
      hasMoved = true;
      return updated;
    });
    const reads = vi.spyOn(subscriptions, 'retrieve').mockImplementation(async (...request) => {
      if (hasMoved && statuses.length === 0) {
        statuses.push(0);
        statuses.push((await redeem(second.code, person)).status);
      }
      return retrieve(...request);
    });
    await redeem(first.code, person);
    await test.settle();
    updates.mockRestore();
    reads.mockRestore();
    expect(statuses).toEqual([0, 200]);
    const start = Temporal.Instant.fromEpochMilliseconds(before).toZonedDateTimeISO('UTC');
    near((await planOf(person)).next_charge?.at, start.add({ months: 7 }).epochMilliseconds);
  });

  it('keeps its months in every trial and before a plan chosen later, and charges at their end', async () => {
    const own = await test.signUp({ created_by: 'admin' });
    const trial = await test.subscribe();
    const stale = await money.payer();
    const canceled = await test.subscribe();
    const change = (person: Person, action: string, payload = {}) =>
      call(`/users/me/plan/${action}`, payload, test.asUser(person.user_id));
    await change(canceled, 'cancel');
    const people = [own, trial, stale, canceled];
    const gifts = await Promise.all(people.map(() => buy({ months: 1 })));
    const { trial_end_date: end } = await planOf(own);
    const { trial_end_date: trialEnd } = await planOf(trial);
    const { next_charge: renewal } = await planOf(stale);
    // As if the webhook of a renewal were late.
    await test.db
      .updateTable('subscriptions')
      .set({ current_period_end: new Date(test.deps.clock.now().getTime() + dayMs) })
      .where('user_id', '=', stale.user_id)
      .execute();
    const monthLater = (from: string | null | undefined) =>
      Temporal.Instant.from(from ?? '')
        .toZonedDateTimeISO('UTC')
        .add({ months: 1 }).epochMilliseconds;
    for (const [n, person] of people.entries())
      expect((await redeem(gifts[n]!.code, person)).status).toBe(200);
    // Before and after the provider knows the later date.
    for (const person of [trial, canceled]) await change(person, 'upgrade', { plan: 'monthly' });
    await change(canceled, 'undo-cancel');
    await test.settle();
    for (const person of [trial, canceled]) {
      const kept = await planOf(person);
      expect(kept).toMatchObject({ status: 'active', trial_end_date: null });
      near(kept.next_charge?.at, monthLater(trialEnd));
      expect((await change(person, 'upgrade', { plan: 'yearly' })).status).toBe(409);
    }
    const { stripe_subscription_id: id } = await test.db
      .selectFrom('subscriptions')
      .select('stripe_subscription_id')
      .where('user_id', '=', trial.user_id)
      .executeTakeFirstOrThrow();
    await taskHandlers.end_trial(test.deps, id ?? '', 'end-trial');
    near((await planOf(stale)).next_charge?.at, monthLater(renewal?.at));

    expect(await test.state(own.user_id)).toMatchObject({ entitled: true });
    const free = await planOf(own);
    near(free.free_until, monthLater(end));
    expect(free.first_charge_at).toBe(free.free_until);
    const [once, longer] = [await promotion({ months: 1 }), await promotion({ months: 3 })];
    const asOwn = test.asUser(own.user_id);
    const refused = await test.checkOut(own, { promotion_code: longer }, asOwn);
    expect(refused.status).toBe(409);
    await test.prove(own);
    const chosen = await choosePlan(own, { promotion_code: once });
    expect(chosen).toMatchObject({ status: 'active', trial_days: 0 });
    expect(chosen.next_charge).toMatchObject({ amount_cents: 249 });
    near(chosen.next_charge?.at, Date.parse(free.free_until ?? ''));
    expect(await status(chosen.session_id)).toEqual({
      ...{ payment_status: 'paid', trial: false, first_charge_at: chosen.next_charge?.at },
    });
    const announced = async () =>
      (await test.mails(own.email)).filter(({ subject }) =>
        subject.startsWith('Your plan starts on'),
      );
    expect(await announced()).toMatchObject([
      { text: expect.stringContaining('Your card will then be charged $2.49.') },
    ]);
    const token = /cancel-plan#(\S+)/.exec((await announced())[0]?.text ?? '')?.[1] ?? '';
    expect((await call<{ ends_at: string }>('/plans/cancel', { token })).body.ends_at).toBe(
      chosen.next_charge?.at,
    );
    await change(own, 'undo-cancel');
    for (const person of [own, trial, canceled]) expect(await money.of(person)).toEqual([]);
    await test.advance(24 * 28, 24);
    for (const person of [own, trial, canceled]) expect(await money.of(person)).toEqual([]);
    expect(await announced()).toHaveLength(1);
    await test.advance(24 * 7, 24);
    expect(await announced()).toHaveLength(2);
    expect(await money.of(own)).toMatchObject([{ amount: 249 }]);
    expect(await money.of(trial)).toMatchObject([{ amount: 499 }]);
  });

  it('closes the checkout that would charge for its months', async () => {
    const person = await test.signUp();
    const { body } = await test.checkOut(person);
    const { code } = await buy();
    expect((await redeem(code, person, false)).status).toBe(200);
    await test.settle();
    const session = await test.deps.stripe.checkout.sessions.retrieve(body.session_id);
    expect(session.status).toBe('expired');
    // A signup that accounts may be about to delete.
    const registered_at = new Date(test.deps.clock.now().getTime() - 23.5 * hourMs).toISOString();
    const [old, other] = [await test.signUp({ registered_at }), await test.signUp()];
    const second = await buy();
    expect((await redeem(second.code, old, false)).body.code).toBe('GIFT_NEEDS_SIGN_IN');
    expect((await redeem(second.code, old)).status).toBe(200);
    await test.hear('accounts', 'accounts.user.deleted', { user_id: old.user_id, expired: true });
    expect((await read(second.code)).body.message).toBe('Good mornings!');
    expect((await redeem(second.code, other)).status).toBe(200);
  });

  it('explains a code that is unknown, unpaid, void, refunded or disputed', async () => {
    const unpaid = await open();
    const id = (await test.deps.stripe.checkout.sessions.retrieve(unpaid.body.session_id)).metadata;
    const [voided, refunded, disputed, partly] = [
      await buy(),
      await buy(),
      await buy(),
      await buy(),
    ];
    const act = (action: string, role: AdminRole) =>
      call<Gift>(`/admin/gifts/${voided.id}/${action}`, {}, admin(role));
    expect((await act('void', 'viewer')).status).toBe(403);
    expect((await act('resend', 'operator')).status).toBe(200);
    expect((await act('void', 'operator')).body.state).toBe('void');
    expect((await act('void', 'operator')).status).toBe(200);
    await refund(refunded.payment);
    await refund(partly.payment, 100);
    const lost = await dispute(disputed.payment);
    const again = [voided, refunded, disputed].map(({ id }) =>
      call(`/admin/gifts/${id}/resend`, {}, admin('owner')),
    );
    const reasons = (await Promise.all(again)).map(({ body }) => body.code);
    expect(reasons).toEqual(['GIFT_VOID', 'GIFT_REFUNDED', 'GIFT_DISPUTED']);
    const codes: [string, string | undefined][] = [
      [test.deps.giftCodes.codeOf(id?.gift_id ?? ''), 'GIFT_UNKNOWN'],
      [randomUUID(), 'GIFT_UNKNOWN'],
      [voided.code, 'GIFT_VOID'],
      [refunded.code, 'GIFT_REFUNDED'],
      [disputed.code, 'GIFT_DISPUTED'],
      [partly.code, undefined],
    ];
    const person = await test.signUp();
    for (const [code, reason] of codes) {
      expect((await read(code)).body.code).toBe(reason);
      expect((await redeem(code, person)).body.code).toBe(reason);
    }
    await money.decide(lost, 'won');
    expect((await read(disputed.code)).status).toBe(200);
    expect((await redeem(disputed.code, { user_id: randomUUID() })).status).toBe(404);
    const mails = await test.mails(voided.buyer_email);
    expect(mails.map(({ text }) => codeIn(text))).toEqual([voided.code, voided.code]);
    const acted = (await publishedEvents(test.db, 'billing.admin.acted'))
      .map(({ data }) => (data as AdminAction).action)
      .filter((action) => action.startsWith('gift.'));
    expect(acted).toEqual(['gift.resent', 'gift.voided']);
  });

  it('is taken back while its payment is disputed, and not by a refund', async () => {
    const [person, other, renewing] = [
      await test.signUp(),
      await test.signUp(),
      await test.signUp(),
    ];
    const moved = await money.payer();
    const [gift, kept, later, used] = [await buy(), await buy(), await buy(), await buy()];
    for (const one of [person, renewing, moved]) await test.prove(one);
    await redeem(gift.code, person);
    await redeem(kept.code, other);
    await redeem(later.code, renewing);
    await redeem(used.code, moved);
    await refund(kept.payment);
    expect(await test.state(other.user_id)).toMatchObject({ entitled: true });
    expect((await listed(kept.id))?.state).toBe('refunded');
    const id = await dispute(gift.payment);
    expect(await test.state(person.user_id)).toMatchObject({ entitled: false });
    // One that subscribed meanwhile gets the months after the paid time; a moved charge stays.
    const [ofRenewing, ofMoved] = [await dispute(later.payment), await dispute(used.payment)];
    const { next_charge: first } = await choosePlan(renewing);
    const { next_charge: stays } = await planOf(moved);
    for (const one of [ofRenewing, ofMoved]) await money.decide(one, 'won');
    const threeLater = Temporal.Instant.from(first?.at ?? '')
      .toZonedDateTimeISO('UTC')
      .add({ months: 3 });
    near((await planOf(renewing)).next_charge?.at, threeLater.epochMilliseconds);
    expect((await planOf(moved)).next_charge).toEqual(stays);
    await money.decide(id, 'won');
    const aboutGift = async ({ email }: { email: string }) =>
      (await test.mails(email))
        .map(({ subject }) => subject)
        .filter((one) => /^Your gift/.test(one));
    expect(await aboutGift(person)).toEqual(['Your gift is on hold', 'Your gift is back']);
    expect(await aboutGift(renewing)).toEqual(['Your gift is on hold', 'Your gift is back']);
    expect(await aboutGift(moved)).toEqual([]);
    const state = await test.state(person.user_id);
    expect(state).toMatchObject({ entitled: true });
    near(state?.entitled_until, monthsFromNow(3));
    // Where refunds end access, a full one does the same.
    await taskHandlers.settle_gift({ ...test.deps, refundEndsAccess: true }, kept.payment, 'x');
    expect(await test.state(other.user_id)).toMatchObject({ entitled: false });
  });
});

it('a gift is taken back with its checkout page, and neither kept nor doubled if that was just paid', async () => {
  const [lost, won, refunded] = [await test.signUp(), await test.signUp(), await test.signUp()];
  await test.prove(refunded);
  const opened = async (person: Person) => {
    const { code, payment } = await buy();
    await redeem(code, person);
    const { body } = await test.checkOut(person, {}, test.asUser(person.user_id));
    return { payment, session: body.session_id };
  };
  const [ofLost, ofWon] = [await opened(lost), await opened(won)];
  const ofRefunded = await opened(refunded);
  const late = vi.spyOn(taskHandlers, 'expire_session').mockResolvedValue();
  const [first, second] = [await dispute(ofLost.payment), await dispute(ofWon.payment)];
  for (const person of [lost, won])
    expect(await test.state(person.user_id)).toMatchObject({ entitled: false });
  expect(late.mock.calls.map(([, session]) => session)).toEqual([ofLost.session, ofWon.session]);
  test.deps.refundEndsAccess = true;
  await refund(ofRefunded.payment);
  expect(await test.state(refunded.user_id)).toMatchObject({ entitled: false });
  late.mockRestore();
  for (const { session } of [ofLost, ofWon, ofRefunded]) await test.pay(session);
  await test.settle();
  test.deps.refundEndsAccess = false;
  const { next_charge: soon } = await planOf(refunded);
  near(soon?.at, test.deps.clock.now().getTime() + 7 * dayMs);
  expect(await status(ofRefunded.session)).toMatchObject({ first_charge_at: soon?.at });
  await test.advance(1 / 30);
  const told = async () =>
    (await test.mails(refunded.email))
      .map(({ subject }) => subject)
      .filter((one) => /now end|plan starts/.test(one));
  const [shortened = '', ...announced] = await told();
  const starts = shortened.replace('Your free texts now end', 'Your plan starts');
  expect(announced).toEqual([starts]);
  const { next_charge: kept } = await planOf(won);
  near(kept?.at, monthsFromNow(3));
  await money.decide(second, 'won');
  expect((await planOf(won)).next_charge).toEqual(kept);
  await money.decide(first, 'lost');
  near((await planOf(lost)).next_charge?.at, test.deps.clock.now().getTime() + 7 * dayMs);
  await test.advance(24 * 6.5, 24);
  expect(await money.of(refunded)).toEqual([]);
  expect(await told()).toEqual([shortened, starts, starts]);
});

it("moves a plan's charge to an earlier date once its payment is returned, and postpones it again if that is reversed", async () => {
  const [inUse, unused, canceled] = [await test.signUp(), await money.payer(), await money.payer()];
  const [refunded, disputed, returned] = [await buy(), await buy(), await buy()];
  for (const one of [inUse, unused]) await test.prove(one);
  await redeem(refunded.code, inUse);
  const { next_charge: paidUntil } = await planOf(unused);
  await redeem(disputed.code, unused);
  await redeem(returned.code, canceled);
  const { next_charge: moved } = await choosePlan(inUse);
  const id = await dispute(disputed.payment);
  expect((await planOf(unused)).next_charge).not.toEqual(paidUntil);
  await money.decide(id, 'lost');
  expect((await planOf(unused)).next_charge).toEqual(paidUntil);
  await cancelInPortal(canceled);
  await money.decide(await dispute(returned.payment), 'lost');
  const left = await planOf(canceled);
  expect(left).toMatchObject({ cancel_at_period_end: true, next_charge: null });
  near(left.current_period_end, Date.parse(paidUntil?.at ?? ''));
  await refund(refunded.payment);
  expect((await planOf(inUse)).next_charge).toEqual(moved);
  const settle = (refundEndsAccess: boolean, key: string) =>
    taskHandlers.settle_gift({ ...test.deps, refundEndsAccess }, refunded.payment, key);
  for (const key of ['first', 'again']) await settle(true, key);
  await test.settle();
  const { next_charge } = await planOf(inUse);
  near(next_charge?.at, test.deps.clock.now().getTime() + 7 * dayMs);
  await settle(false, 'won');
  await test.settle();
  expect((await planOf(inUse)).next_charge).toEqual(moved);
  const subjects = (await test.mails(inUse.email)).map(({ subject }) => subject);
  expect(subjects.slice(-2)).toEqual([
    expect.stringMatching(/^Your free texts now end on /),
    'Your gift is back',
  ]);
  await settle(true, 'lost');
  await test.advance(24 * 33, 24);
  expect(await money.of(inUse)).toHaveLength(1);
  // A day before the charge that came sooner.
  const starts = (await test.mails(inUse.email)).filter(({ subject }) =>
    subject.startsWith('Your plan starts on'),
  );
  expect(starts).toHaveLength(2);
  expect(await money.of(unused)).toHaveLength(2);
  expect(await money.of(canceled)).toHaveLength(1);
  expect(await planOf(canceled)).toMatchObject({ status: 'canceled' });
});

it("is not doubled if moving the plan's charge back failed before the refund did", async () => {
  const [refused, lost] = [await money.payer(), await money.payer()];
  const { subscriptions } = test.deps.stripe;
  const update = subscriptions.update.bind(subscriptions);
  for (const person of [refused, lost]) {
    await test.prove(person);
    const { next_charge: renewal } = await planOf(person);
    const { code, payment } = await buy();
    await redeem(code, person);
    await test.settle();
    const path = `/admin/subscriptions/${person.user_id}/free-days`;
    const days = { days: 30, reason: 'They asked by phone', request_key: randomUUID() };
    expect((await call(path, days, admin('owner'))).status).toBe(200);
    await test.settle();
    const { next_charge: moved } = await planOf(person);
    await refund(payment);
    const settle = (refundEndsAccess: boolean, key: string) =>
      taskHandlers.settle_gift({ ...test.deps, refundEndsAccess }, payment, key);
    const moves = vi.spyOn(subscriptions, 'update').mockImplementation(async (...request) => {
      if (person === lost) await update(...request);
      throw new Error('no response');
    });
    await expect(settle(true, 'back')).rejects.toThrow('no response');
    moves.mockRestore();
    await test.settle();
    await settle(false, 'failed');
    await test.settle();
    expect((await planOf(person)).next_charge).toEqual(moved);
    const subjects = (await test.mails(person.email)).map(({ subject }) => subject);
    expect(subjects.slice(-2)).toEqual([
      expect.stringMatching(/^Your free texts now end on /),
      'Your gift is back',
    ]);
    // Days that staff gave stay.
    await settle(true, randomUUID());
    near((await planOf(person)).next_charge?.at, Date.parse(renewal?.at ?? '') + 30 * dayMs);
  }
});

it('keeps its months if staff extend the trial before the provider has them', async () => {
  const person = await test.subscribe();
  const { trial_end_date: trialEnd } = await planOf(person);
  const { code } = await buy({ months: 1 });
  const late = vi.spyOn(taskHandlers, 'apply_free_time').mockResolvedValue();
  expect((await redeem(code, person)).status).toBe(200);
  const path = `/admin/subscriptions/${person.user_id}/extend-trial`;
  const action = { days: 5, reason: 'They asked by phone', request_key: randomUUID() };
  expect((await call(path, action, admin('owner'))).status).toBe(200);
  late.mockRestore();
  await test.settle();
  const plan = await planOf(person);
  expect(plan).toMatchObject({ status: 'active', trial_end_date: null });
  const end = Temporal.Instant.from(trialEnd ?? '').toZonedDateTimeISO('UTC');
  near(plan.next_charge?.at, end.add({ months: 1 }).add({ days: 5 }).epochMilliseconds);
  const upgrade = { plan: 'yearly' };
  const url = '/users/me/plan/upgrade';
  expect((await call(url, upgrade, test.asUser(person.user_id))).status).toBe(409);
  expect(await money.of(person)).toEqual([]);
});

it('days without a text during a gift earn no credit, before and after the first charge', async () => {
  const person = await test.signUp();
  const { code } = await buy({ months: 1 });
  await redeem(code, person);
  await choosePlan(person);
  const { lostDay, publish, inHours, decisionsOf } = useLostDays(() => test);
  await publish([lostDay(person, inHours(50))]);
  expect(await decisionsOf(person)).toEqual([['unpaid', 0]]);
  await test.advance(24 * 33, 24);
  expect(await money.of(person)).toHaveLength(1);
  expect(await decisionsOf(person)).toEqual([['unpaid', 0]]);
  await publish([lostDay(person, inHours(-1))]);
  expect(await decisionsOf(person)).toMatchObject([
    ['unpaid', 0],
    ['credited', expect.any(Number)],
  ]);
});

it('the email about a plan chosen during a gift says when the first payment is due if the first month is free', async () => {
  const person = await test.signUp();
  await test.prove(person);
  const { code } = await buy({ months: 1 });
  await redeem(code, person);
  const promotion_code = await promotion({ value: 100, months: 1 });
  const { next_charge } = await choosePlan(person, { promotion_code });
  expect(next_charge).toMatchObject({ amount_cents: 0 });
  const dayIn = (months: number) =>
    Temporal.Instant.from(next_charge?.at ?? '')
      .toZonedDateTimeISO('America/New_York')
      .add({ months })
      .toLocaleString('en-US', { dateStyle: 'long' });
  const mails = (await test.mails(person.email)).filter(({ subject }) =>
    /plan starts/.test(subject),
  );
  expect(mails.map(({ subject }) => subject)).toEqual([`Your plan starts on ${dayIn(0)}`]);
  expect(mails[0]?.text).toContain('Price: free for the first month, then $4.99 a month');
  expect(mails[0]?.text).toContain(
    `Nothing is charged then. Your first payment is $4.99, on ${dayIn(1)}.`,
  );
});

it('gifts count as revenue, not as recurring revenue, and the provider agrees', async () => {
  const total = async () => (await money.revenue()).total_cents;
  const before = [await total(), await money.ledger()];
  await buy({ months: 6 });
  const returned = await buy({ months: 1 });
  await refund(returned.payment);
  expect([await total(), await money.ledger()]).toEqual(before.map((cents) => cents + 2994));
  expect(await total()).toBe(await money.ledger());
  const [person, { code }] = [await test.signUp(), await buy()];
  await redeem(code, person);
  await test.settle();
  const recurring = await test.db
    .selectFrom('mrr_changes')
    .select('user_id')
    .where('user_id', '=', person.user_id)
    .execute();
  expect(recurring).toEqual([]);
  const unknown = test.db.selectFrom('invoices').select('id').where('user_id', 'is', null);
  const copies = await unknown.execute();
  // As if the webhooks of one were lost: the nightly comparison stores it again.
  await test.db.deleteFrom('invoices').where('id', '=', copies[0]!.id).execute();
  await test.advance(30);
  expect(await unknown.where('id', '=', copies[0]!.id).execute()).toHaveLength(1);
});

it('reminds the recipient a week before the end, then the texts end, except in a trial, which staff can extend', async () => {
  const [person, stays] = [await test.signUp(), await test.signUp()];
  await redeem((await buy({ months: 1 })).code, stays);
  await test.prove(person);
  const { code } = await buy({ months: 1 });
  const { body } = await redeem(code, person);
  await test.settle();
  const subjects = async () => (await test.mails(person.email)).map(({ subject }) => subject);
  expect(await subjects()).toEqual([expect.stringMatching(/^Your texts are free until /)]);
  const daysLeft = (Date.parse(body.until) - test.deps.clock.now().getTime()) / dayMs;
  await test.advance(24 * (daysLeft - 6), 24);
  expect((await subjects()).at(-1)).toMatch(/^Your gift ends on /);
  await test.advance(24 * 5, 24);
  const { status: chosen, trial_end_date: trialEnd } = await choosePlan(stays);
  expect(chosen).toBe('trial');
  const path = `/admin/subscriptions/${stays.user_id}/extend-trial`;
  const action = { days: 5, reason: 'They asked by phone', request_key: randomUUID() };
  expect((await call(path, action, admin('owner'))).status).toBe(200);
  await test.settle();
  const extended = await planOf(stays);
  expect(extended.status).toBe('trial');
  near(extended.trial_end_date, Date.parse(trialEnd ?? '') + 5 * dayMs);
  await test.advance(24 * 2, 24);
  expect(await subjects()).toHaveLength(2);
  expect(await test.state(person.user_id)).toMatchObject({ status: 'expired', entitled: false });
});

it('an owner erases a buyer without an account from all their gifts, once, and the links stay valid', async () => {
  const buyer_email = `${randomUUID()}@buyers.test`;
  const [gift, other] = [await buy({ buyer_email }), await buy({ buyer_email, months: 1 })];
  const { body: page } = await open({ buyer_email, months: 6 });
  await open({ buyer_email, months: 12 });
  // As if the mail server were down.
  const rejected = vi.spyOn(test.deps.giftCodes, 'insert').mockImplementation(() => {
    throw new Error('down');
  });
  const resent = await call(`/admin/gifts/${other.id}/resend`, {}, admin('operator'));
  expect(resent.status).toBe(200);
  await test.settle();
  expect(rejected).toHaveBeenCalled();
  const erase = (role: AdminRole, reason = 'Requested by email', { id } = gift) =>
    call<Gift>(`/admin/gifts/${id}/erase-buyer`, { reason }, admin(role));
  for (const role of ['viewer', 'operator'] as const) expect((await erase(role)).status).toBe(403);
  expect((await erase('owner', '  ')).status).toBe(400);
  // Two owners at once.
  const erased = [gift, other].map((one) => erase('owner', undefined, one));
  for (const { body } of await Promise.all(erased))
    expect(body).toMatchObject({ buyer_name: '', buyer_email: '' });
  expect((await erase('owner')).status).toBe(200);
  rejected.mockRestore();
  await test.settle();
  expect(await listed(other.id)).toMatchObject({ state: 'ready', buyer_name: '', buyer_email: '' });
  const code = test.deps.giftCodes.codeOf(gift.id);
  expect((await read(code)).body).toMatchObject({ months: 3, message: null });
  const { stripe } = test.deps;
  // One whose page was open is paid, and erased once its link is sent.
  await test.pay(page.session_id);
  await test.settle();
  const mails = await test.mails(buyer_email);
  const late = codeIn(mails[2]?.text ?? '');
  expect((await read(late)).body).toEqual({ months: 6, buyer_name: '', message: null });
  const session = await stripe.checkout.sessions.retrieve(page.session_id);
  for (const { customer } of [gift.session, session])
    expect(await stripe.customers.retrieve(customer as string)).toMatchObject({ deleted: true });
  const invoice = await stripe.invoices.retrieve(gift.session.invoice as string);
  expect(invoice.amount_paid).toBe(1497);
  // One that wasn't paid is erased once its page has expired.
  await test.advance(1.1);
  const rows = await Promise.all(
    (['gifts', 'mails', 'outbox'] as const).map((table) =>
      test.db.selectFrom(table).selectAll().execute(),
    ),
  );
  expect(JSON.stringify(rows)).not.toContain(buyer_email);
  const acted = (await publishedEvents(test.db, 'billing.admin.acted'))
    .map(({ data }) => data as AdminAction)
    .filter(({ action }) => action === 'gift.buyer_erased');
  expect(acted).toMatchObject([{ details: { gifts: 4, reason: 'Requested by email' } }]);
});

it('erases a buyer from pages that were never stored, once they have expired or a day later', async () => {
  const { id, buyer_email } = await buy();
  const [known, unknown] = [await open({ buyer_email }), await open({ buyer_email, months: 6 })];
  const pages = [known, unknown].map(({ body }) => body.session_id);
  // As if billing had died first.
  const unstored = { session_id: null, url: null };
  await test.db.updateTable('gifts').set(unstored).where('session_id', 'in', pages).execute();
  await test.db.deleteFrom('provider_tasks').where('subject', 'in', pages).execute();
  const request = { reason: 'Requested by email' };
  expect((await call(`/admin/gifts/${id}/erase-buyer`, request, admin('owner'))).status).toBe(200);
  const left = async () =>
    (
      await test.db
        .selectFrom('gifts')
        .select('months')
        .where('buyer_email', '=', buyer_email)
        .orderBy('months')
        .execute()
    ).map(({ months }) => months);
  expect(await left()).toEqual([3, 6]);
  const fulfill = taskHandlers.fulfil_checkout;
  const lost = vi
    .spyOn(taskHandlers, 'fulfil_checkout')
    .mockImplementation(async (deps, session, key) => {
      if (session !== pages[1]) await fulfill(deps, session, key);
    });
  await test.advance(1.1);
  lost.mockRestore();
  expect(await left()).toEqual([6]);
  await test.advance(24);
  expect(await left()).toEqual([]);
});

it('its link is sent to a buyer who is erased before the mail server accepts it', async () => {
  const rejected = vi.spyOn(test.deps.giftCodes, 'insert').mockImplementation(() => {
    throw new Error('down');
  });
  const { id, buyer_email } = await buy();
  expect(rejected).toHaveBeenCalled();
  const request = { reason: 'Requested by email' };
  expect((await call(`/admin/gifts/${id}/erase-buyer`, request, admin('owner'))).status).toBe(200);
  rejected.mockRestore();
  await test.advance(1 / 30);
  const [mail] = await test.mails(buyer_email);
  expect((await read(codeIn(mail?.text ?? ''))).status).toBe(200);
  const left = await test.db.selectFrom('mails').select('to_address').execute();
  expect(JSON.stringify(left)).not.toContain(buyer_email);
});

it('several are locked in the order of their ids, which avoids deadlocks', async () => {
  const lock = (trx: Trx, { id }: { id: string }) =>
    trx.selectFrom('gifts').select('id').where('id', '=', id).forUpdate().noWait().execute();
  const hasWaiter = async () => {
    const waiting = sql`select from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`;
    return (await waiting.execute(test.db)).rows.length > 0;
  };
  const expectOrder = async (gifts: { id: string }[], act: () => Promise<unknown>) => {
    const [low, high] = gifts;
    const { acting } = await test.db.transaction().execute(async (trx) => {
      await lock(trx, low!);
      const started = { acting: act() };
      await expect.poll(hasWaiter).toBe(true);
      await lock(trx, high!);
      return started;
    });
    await acting;
  };
  const two = async (change: object) =>
    [await buy(change), await buy(change)].toSorted((one, other) => (one.id < other.id ? -1 : 1));
  const ofOne = await two({ buyer_email: `${randomUUID()}@buyers.test` });
  await expectOrder(ofOne, () =>
    call(`/admin/gifts/${ofOne[1]!.id}/erase-buyer`, { reason: 'By email' }, admin('owner')),
  );
  const person = await test.signUp();
  const [redeemed, bought] = await two({});
  await test.prove(person, { email: bought!.buyer_email });
  await redeem(redeemed!.code, person);
  await expectOrder([redeemed!, bought!], () =>
    test.hear('accounts', 'accounts.user.deleted', { user_id: person.user_id }),
  );
});

it('the export and the deletion cover buyer and recipient, and the link stays valid', async () => {
  const [buyer, recipient] = [await test.signUp(), await test.signUp()];
  await test.prove(buyer);
  const [passed, unused] = [
    await buy({ buyer_email: buyer.email }),
    await buy({ buyer_email: buyer.email, months: 1 }),
  ];
  await redeem(codeIn((await test.mails(buyer.email))[0]?.text ?? ''), recipient);
  await open({ buyer_email: buyer.email, months: 6 });
  await test.advance(1.1);
  const exported = async ({ user_id }: Person) =>
    (
      await test.app.inject({
        url: `/internal/export/${user_id}`,
        headers: test.as({ kind: 'service', name: 'accounts' }),
      })
    ).json();
  expect((await exported(buyer)).gifts_bought).toMatchObject([{ months: 3 }, { months: 1 }]);
  expect((await exported(recipient)).gifts_redeemed).toMatchObject([
    { months: 3, from: 'Grace Giver', message: 'Good mornings!' },
  ]);
  const timeline = await test.app.inject({
    url: `/internal/timeline/${recipient.user_id}?limit=10&kinds=payments`,
    headers: test.as({ kind: 'service', name: 'accounts' }),
  });
  expect(timeline.json().gifts).toMatchObject([{ id: passed.id, months: 3 }]);
  for (const { user_id } of [buyer, recipient])
    await test.hear('accounts', 'accounts.user.deleted', { user_id });
  await test.settle();
  const rows = await test.db
    .selectFrom('gifts')
    .select(['buyer_name', 'buyer_email', 'message'])
    .where('id', 'in', [passed.id, unused.id])
    .execute();
  expect(rows).toEqual(Array(2).fill({ buyer_name: '', buyer_email: '', message: null }));
  const ofBuyer = test.db.selectFrom('gifts').select('id').where('buyer_email', '=', buyer.email);
  expect(await ofBuyer.execute()).toEqual([]);
  const customer = await test.deps.stripe.customers.retrieve(unused.session.customer as string);
  expect(customer.deleted).toBe(true);
  const url = `/admin/gifts/${unused.id}/resend`;
  expect((await call(url, {}, admin('owner'))).body.code).toBe('GIFT_BUYER_ERASED');
  expect((await read(test.deps.giftCodes.codeOf(unused.id))).status).toBe(200);
});

it('is not taken back before the day of a new price that the charge already has', async () => {
  const person = await money.payer();
  await test.prove(person);
  const { code, payment } = await buy({ months: 1 });
  await redeem(code, person);
  test.deps.catalogue.plans.monthly.price_cents = 599;
  test.deps.prices.forget();
  const prices = { plan: 'monthly', from_cents: 499, to_cents: 599 };
  const move = { ...prices, reason: 'Texts cost more', request_key: randomUUID() };
  expect((await call('/admin/price-moves', move, admin('owner'))).status).toBe(200);
  await test.settle();
  await test.advance(1 / 30);
  const { next_charge, price_change } = await planOf(person);
  expect(next_charge).toEqual({ at: price_change?.at, amount_cents: 599 });
  await money.decide(await dispute(payment), 'lost');
  expect((await planOf(person)).next_charge).toEqual(next_charge);
  const subjects = (await test.mails(person.email)).map(({ subject }) => subject);
  expect(subjects.filter((one) => /now end/.test(one))).toEqual([]);
});
