import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { dayMs, hourMs } from '@daylift/clock/durations';
import type { AdminAction } from '@daylift/contracts/admin-action';
import type { UserSubscription } from '@daylift/contracts/billing.http';
import type { FailedItems } from '@daylift/contracts/failed.http';
import type { AdminRole } from '@daylift/contracts/fields';
import type { Gift } from '@daylift/contracts/gifts.http';
import { publishedEvents } from '@daylift/testing/published';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { goodCard } from '../../test/cards.ts';
import { payments } from '../../test/disputes.ts';
import { useGifts } from '../../test/gifts.ts';
import { journeyMs, origin, startBilling, type TestBilling } from '../../test/harness.ts';
import { type Person, useLostDays } from '../../test/lost-days.ts';
import { taskHandlers } from '../tasks.ts';

vi.setConfig({ testTimeout: journeyMs });
let test: TestBilling;
let money: ReturnType<typeof payments>;
beforeAll(async () => {
  test = await startBilling();
  money = payments(test);
});
afterAll(() => test.stop());
beforeEach(() => test.reset());
const {
  call,
  open,
  status,
  codeIn,
  buy,
  read,
  redeem,
  planOf,
  choosePlan,
  promotion,
  admin,
  listed,
  monthsFromNow,
  near,
  refund,
  dispute,
  get,
} = useGifts(() => test);

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
    const retries = [1, 2, 3].map(() =>
      taskHandlers.fulfil_checkout(test.deps, body.session_id, 'again'),
    );
    await Promise.all(retries);
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

  it('lists the email among the failed events if the mail server keeps rejecting it, to be sent again', async () => {
    const rejected = vi.spyOn(test.deps.giftCodes, 'insert').mockImplementation(() => {
      throw new Error('550 mailbox unavailable');
    });
    const { buyer_email } = await buy();
    await test.advance(60, 2);
    rejected.mockRestore();
    const headers = test.as({ kind: 'service', name: 'gateway' });
    const { items } = (
      await test.app.inject({ url: '/internal/parked', headers })
    ).json<FailedItems>();
    expect(items).toMatchObject([{ kind: 'mail', tries: 30 }]);
    await call(`/admin/parked/billing/${items[0]?.id}/replay`, {}, admin('operator'));
    await test.settle();
    const [mail] = await test.mails(buyer_email);
    expect((await read(codeIn(mail?.text ?? ''))).body).toMatchObject({ months: 3 });
  });

  it('ignores a payment that an operator requested at the provider', async () => {
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
    const responses = await Promise.all(
      [...people, ...people].map((person) => redeem(code, person, false)),
    );
    const winners = new Set(
      responses.flatMap(({ status: code }, n) => (code === 200 ? [people[n % 3]!.user_id] : [])),
    );
    expect(winners.size).toBe(1);
    expect(new Set(responses.map(({ body }) => body.code ?? body.until)).size).toBe(2);
    expect(responses.map(({ body }) => body.code)).toContain('GIFT_USED');
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
    const responses = await Promise.all([first, second].map(({ code }) => redeem(code, person)));
    expect(responses.map((one) => one.status)).toEqual([200, 200]);
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
      const current = await planOf(person);
      expect(current).toMatchObject({ status: 'active', trial_end_date: null });
      near(current.next_charge?.at, monthLater(trialEnd));
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
    await test.advance(24 * 28);
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

  it('closes a checkout that is being opened meanwhile and would charge for its months', async () => {
    const before = await test.subscribe();
    const person = await test.signUp({ phone_hash: before.phone_hash });
    const { code } = await buy();
    const { sessions } = test.deps.stripe.checkout;
    const create = sessions.create.bind(sessions);
    const createSession = vi.spyOn(sessions, 'create').mockImplementationOnce(async (...call) => {
      const session = await create(...call);
      expect((await redeem(code, person)).status).toBe(200);
      return session;
    });
    const opened = await test.checkOut(person, {}, test.asUser(person.user_id));
    await test.settle();
    const { id } = await createSession.mock.results[0]!.value;
    expect((await sessions.retrieve(id)).status).toBe('expired');
    expect(opened.body.session_id).not.toBe(id);
    await test.pay(opened.body.session_id, goodCard());
    await test.settle();
    expect(await money.of(person)).toEqual([]);
    near((await planOf(person)).next_charge?.at, monthsFromNow(3));
  });

  it.each([
    ['an upgrade', 'upgrade', 'monthly', 4],
    ['a switch', 'switch', 'yearly', 15],
  ] as const)('keeps its months if redeemed during %s', async (_change, action, plan, months) => {
    const person = action === 'upgrade' ? await test.subscribe() : await money.payer();
    const { code } = await buy();
    const { subscriptions } = test.deps.stripe;
    const update = subscriptions.update.bind(subscriptions);
    const retrieve = subscriptions.retrieve.bind(subscriptions);
    const changed = Promise.withResolvers<void>();
    const redemptions: ReturnType<typeof redeem>[] = [];
    vi.spyOn(subscriptions, 'update').mockImplementationOnce(async (...call) => {
      // The gift's task reads the plan after the change.
      vi.spyOn(subscriptions, 'retrieve').mockImplementation(async (...read) => {
        if (read[1] === undefined) await changed.promise;
        return retrieve(...read);
      });
      redemptions.push(redeem(code, person));
      // It doesn't end if it waits.
      await Promise.race([redemptions[0], delay(500)]);
      return update(...call).finally(changed.resolve);
    });
    const response = await call(`/users/me/plan/${action}`, { plan }, test.asUser(person.user_id));
    expect(response.status).toBe(200);
    expect((await redemptions[0])?.status).toBe(200);
    await test.settle();
    vi.restoreAllMocks();
    near((await planOf(person)).next_charge?.at, monthsFromNow(months));
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
    await test.settle();
    expect((await act('void', 'operator')).body.state).toBe('void');
    expect((await act('void', 'operator')).status).toBe(200);
    await refund(refunded.payment);
    await refund(partly.payment, 100);
    const lost = await dispute(disputed.payment);
    const resends = [voided, refunded, disputed].map(({ id }) =>
      call(`/admin/gifts/${id}/resend`, {}, admin('owner')),
    );
    const reasons = (await Promise.all(resends)).map(({ body }) => body.code);
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
  await test.advance(24 * 33);
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

it('a code for new subscribers is rejected after the first payment of a plan chosen during a gift', async () => {
  const person = await test.signUp();
  const { code } = await buy({ months: 1 });
  await redeem(code, person);
  await choosePlan(person);
  await test.advance(24 * 33);
  expect(await money.of(person)).toHaveLength(1);
  const path = `/admin/subscriptions/${person.user_id}/cancel`;
  const end = { when: 'now', reason: 'They asked by phone', request_key: randomUUID() };
  expect((await call(path, end, admin('owner'))).status).toBe(200);
  await test.settle();
  const change = { first_time_only: true };
  const codes = [
    await promotion({ ...change, months: 1 }),
    await promotion({ ...change, kind: 'free_days', value: 30, months: null }),
  ];
  for (const promotion_code of codes) {
    const query = `plan=monthly&subscription_id=${person.user_id}`;
    const offer = await test.app.inject({ url: `/promotions/${promotion_code}?${query}` });
    expect(offer.json()).toMatchObject({ code: 'PROMOTION_FOR_NEW_CUSTOMERS' });
    const headers = test.asUser(person.user_id);
    const checkout = await test.checkOut(person, { promotion_code }, headers);
    expect(checkout.body).toMatchObject({ code: 'PROMOTION_FOR_NEW_CUSTOMERS' });
  }
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
  await test.repair();
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
  await test.advance(24 * (daysLeft - 6));
  expect((await subjects()).at(-1)).toMatch(/^Your gift ends on /);
  await test.advance(24 * 5);
  const { status: chosen, trial_end_date: trialEnd } = await choosePlan(stays);
  expect(chosen).toBe('trial');
  const path = `/admin/subscriptions/${stays.user_id}/extend-trial`;
  const action = { days: 5, reason: 'They asked by phone', request_key: randomUUID() };
  expect((await call(path, action, admin('owner'))).status).toBe(200);
  await test.settle();
  const extended = await planOf(stays);
  expect(extended.status).toBe('trial');
  near(extended.trial_end_date, Date.parse(trialEnd ?? '') + 5 * dayMs);
  await test.advance(24 * 2);
  expect(await subjects()).toHaveLength(2);
  expect(await test.state(person.user_id)).toMatchObject({ status: 'expired', entitled: false });
});
