import { randomUUID } from 'node:crypto';
import { dayMs } from '@daylift/clock/durations';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { payments } from '../../test/disputes.ts';
import { useGifts } from '../../test/gifts.ts';
import { journeyMs, startBilling, type TestBilling } from '../../test/harness.ts';
import type { Person } from '../../test/lost-days.ts';
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
  status,
  buy,
  redeem,
  planOf,
  cancelInPortal,
  choosePlan,
  admin,
  listed,
  monthsFromNow,
  near,
  refund,
  dispute,
} = useGifts(() => test);

const giveDays = async ({ user_id }: Person) => {
  const days = { days: 30, reason: 'They asked by phone', request_key: randomUUID() };
  const path = `/admin/subscriptions/${user_id}/free-days`;
  expect((await call(path, days, admin('owner'))).status).toBe(200);
  await test.settle();
};
const giftsIn = async ({ user_id }: Person, part: string) => {
  const headers = test.as({ kind: 'service', name: 'accounts' });
  return (
    await test.app.inject({ url: `/internal/${part.replace('*', user_id)}`, headers })
  ).json();
};
const endingsOf = async ({ email }: { email: string }) =>
  (await test.mails(email)).map(({ subject }) => subject).filter((one) => /now end/.test(one));

it('a gift is taken back while its payment is disputed, and not by a refund', async () => {
  const [person, other, renewing] = [await test.signUp(), await test.signUp(), await test.signUp()];
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
  const shown = async () => (await giftsIn(person, 'timeline/*?kinds=payments')).gifts[0];
  const { until, returned } = await shown();
  expect(returned).toBe(true);
  near(until, test.deps.clock.now().getTime());
  expect((await giftsIn(person, 'export/*')).gifts_redeemed).toMatchObject([{ ends_at: until }]);
  expect((await redeem(gift.code, person)).body.until).toBe(until);
  // One who has subscribed gets the months after the paid time; a moved charge stays.
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
    (await test.mails(email)).map(({ subject }) => subject).filter((one) => /^Your gift/.test(one));
  expect(await aboutGift(person)).toEqual(['Your gift is on hold', 'Your gift is back']);
  expect(await aboutGift(renewing)).toEqual(['Your gift is on hold', 'Your gift is back']);
  expect(await aboutGift(moved)).toEqual([]);
  const state = await test.state(person.user_id);
  expect(state).toMatchObject({ entitled: true });
  near(state?.entitled_until, monthsFromNow(3));
  const restored = await shown();
  near(restored.until, monthsFromNow(3));
  expect(restored.returned).toBeUndefined();
  // Where refunds end access, a full one does the same.
  await taskHandlers.settle_gift({ ...test.deps, refundEndsAccess: true }, kept.payment, 'x');
  expect(await test.state(other.user_id)).toMatchObject({ entitled: false });
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
  const mailed = async () =>
    (await test.mails(refunded.email))
      .map(({ subject }) => subject)
      .filter((one) => /now end|plan starts/.test(one));
  const [shortened = '', ...announced] = await mailed();
  const starts = shortened.replace('Your free texts now end', 'Your plan starts');
  expect(announced).toEqual([starts]);
  const { next_charge: chargeBefore } = await planOf(won);
  near(chargeBefore?.at, monthsFromNow(3));
  await money.decide(second, 'won');
  expect((await planOf(won)).next_charge).toEqual(chargeBefore);
  await money.decide(first, 'lost');
  near((await planOf(lost)).next_charge?.at, test.deps.clock.now().getTime() + 7 * dayMs);
  await test.advance(24 * 6.5);
  expect(await money.of(refunded)).toEqual([]);
  expect(await mailed()).toEqual([shortened, starts, starts]);
});

it("a returned gift moves a plan's charge to an earlier date and postpones it again if that is reversed", async () => {
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
  await test.advance(24 * 33);
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

it("a returned gift's end is shown once the charge has moved, even if an earlier version redeemed it", async () => {
  const person = await money.payer();
  await test.prove(person);
  const { next_charge: paidUntil } = await planOf(person);
  const { id, code, payment } = await buy();
  await redeem(code, person);
  await test.settle();
  const earlier = { postpones_charge: null };
  await test.db.updateTable('gifts').set(earlier).where('id', '=', id).execute();
  await money.decide(await dispute(payment), 'lost');
  expect((await planOf(person)).next_charge).toEqual(paidUntil);
  const [shown] = (await giftsIn(person, 'timeline/*?kinds=payments')).gifts;
  expect(shown).toMatchObject({ returned: true });
  near(shown.until, Date.parse(paidUntil?.at ?? ''));
  const [exported] = (await giftsIn(person, 'export/*')).gifts_redeemed;
  expect(exported.ends_at).toBe(shown.until);
});

it("a gift redeemed while a plan's own payment is disputed is taken back, and free days of the plan are not", async () => {
  const [before, after] = [await money.payer(), await money.payer()];
  for (const person of [before, after]) {
    await test.prove(person);
    await giveDays(person);
    const { next_charge } = await planOf(person);
    const ofPlan = await money.dispute(person);
    const { code, payment } = await buy({ months: 1 });
    expect((await redeem(code, person)).status).toBe(200);
    expect(await test.state(person.user_id)).toMatchObject({ entitled: true });
    if (person === after) await money.decide(ofPlan, 'won');
    const ofGift = await dispute(payment);
    expect(await test.state(person.user_id)).toMatchObject({ entitled: person === after });
    await money.decide(ofGift, 'lost');
    if (person === before) await money.decide(ofPlan, 'won');
    expect((await planOf(person)).next_charge).toEqual(next_charge);
    expect(await endingsOf(person)).toEqual([]);
  }
});

it("a returned gift does not take back another's months of free access, nor days that the plan had paid", async () => {
  const [moved, paid] = [await money.payer(), await money.payer()];
  for (const person of [moved, paid]) await test.prove(person);
  const renewal = (await planOf(moved)).next_charge;
  const [earlier, later, short] = [await buy({ months: 1 }), await buy(), await buy({ months: 1 })];
  await redeem(earlier.code, moved);
  await test.settle();
  const held = await money.dispute(moved);
  await redeem(later.code, moved);
  const access = await test.state(moved.user_id);
  const ofEarlier = await dispute(earlier.payment);
  expect(await test.state(moved.user_id)).toEqual(access);
  await money.decide(ofEarlier, 'lost');
  expect(await test.state(moved.user_id)).toMatchObject({ entitled_until: access?.entitled_until });
  await money.decide(held, 'won');
  near((await planOf(moved)).next_charge?.at, Date.parse(access?.entitled_until ?? ''));
  await money.decide(await dispute(later.payment), 'lost');
  expect((await planOf(moved)).next_charge).toEqual(renewal);

  const { next_charge: due } = await planOf(paid);
  const ofPlan = await money.dispute(paid);
  await test.advance(24);
  await redeem(short.code, paid);
  await money.decide(ofPlan, 'won');
  near((await planOf(paid)).next_charge?.at, monthsFromNow(1));
  await money.decide(await dispute(short.payment), 'lost');
  expect((await planOf(paid)).next_charge).toEqual(due);
});

it("a gift is not doubled if moving the plan's charge back failed before the refund did", async () => {
  const [refused, lost] = [await money.payer(), await money.payer()];
  const { subscriptions } = test.deps.stripe;
  const update = subscriptions.update.bind(subscriptions);
  for (const person of [refused, lost]) {
    await test.prove(person);
    const { next_charge: renewal } = await planOf(person);
    const { code, payment } = await buy();
    await redeem(code, person);
    await test.settle();
    await giveDays(person);
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

it('a gift is not taken back before the day of a new price that the charge already has', async () => {
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
  expect(await endingsOf(person)).toEqual([]);
});

it("reminds of a restored gift's end even if the end without it was announced", async () => {
  const person = await test.signUp();
  await test.prove(person);
  const [first, second] = [await buy({ months: 1 }), await buy({ months: 1 })];
  for (const { code } of [first, second]) await redeem(code, person);
  const reminders = async () =>
    (await test.mails(person.email)).filter(({ subject }) => /^Your gift ends/.test(subject));
  await test.advance(24 * 25);
  expect(await reminders()).toHaveLength(0);
  const id = await dispute(second.payment);
  await test.advance(1);
  expect(await reminders()).toHaveLength(1);
  await money.decide(id, 'won');
  await test.advance(24 * 10);
  expect(await reminders()).toHaveLength(1);
  await test.advance(24 * 20);
  expect(await reminders()).toHaveLength(2);
});
