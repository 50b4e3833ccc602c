import { randomUUID } from 'node:crypto';
import { dayMs } from '@daylift/clock/durations';
import type { SignupFacts } from '@daylift/contracts/accounts.http';
import type { ReferralFigures } from '@daylift/contracts/billing.http';
import { publishedEvents } from '@daylift/testing/published';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { goodCard } from '../../test/cards.ts';
import { journeyMs, origin, startBilling, type TestBilling } from '../../test/harness.ts';
import { dayOf } from '../notices/words.ts';
import { enqueueTask } from '../provider-tasks/provider-tasks.repository.ts';

vi.setConfig({ testTimeout: journeyMs });
let test: TestBilling;
beforeAll(async () => {
  test = await startBilling({ repairs: true });
});
afterAll(() => test.stop());
beforeEach(() => test.faults({}));

async function read({ user_id }: { user_id: string }) {
  const headers = test.asUser(user_id);
  const { credit_cents, next_bill_at, ...counts } = (
    await test.app.inject({ url: '/users/me/referrals', headers })
  ).json<ReferralFigures>();
  return { counts, bill: { credit_cents, next_bill_at } };
}
const figures = async (referrer: { user_id: string }) => (await read(referrer)).counts;
const creditMails = async ({ email }: { email: string }) =>
  (await test.mails(email)).filter(({ text }) => text.includes('A friend who signed up'));
async function bookings({ user_id }: { user_id: string }): Promise<number[]> {
  const customer = await customerOf(user_id);
  const { data } = await test.deps.stripe.customers.listBalanceTransactions(customer);
  return data
    .filter((entry) => entry.type === 'adjustment')
    .map((entry) => entry.amount)
    .reverse();
}
async function customerOf(userId: string): Promise<string> {
  const row = await test.db
    .selectFrom('customers')
    .select('stripe_customer_id')
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow();
  return row.stripe_customer_id ?? '';
}
async function published({ user_id }: { user_id: string }) {
  const events = await publishedEvents(test.db, 'billing.referrals.changed');
  return events
    .map((event) => event.data as { user_id: string; version: number; successful: number })
    .filter((data) => data.user_id === user_id)
    .map(({ version, successful }) => [version, successful]);
}
/** A friend referred by the link, with an immediate first payment. */
async function payingFriend(
  referrer: { user_id: string },
  facts: Partial<SignupFacts> = {},
  card = goodCard(),
): Promise<SignupFacts> {
  const friend = await test.subscribe({ referrer_user_id: referrer.user_id, ...facts }, card);
  await pay(friend);
  return friend;
}
async function pay(
  friend: { user_id: string },
  action: 'upgrade' | 'switch' = 'upgrade',
  plan = 'monthly',
): Promise<void> {
  await test.app.inject({
    method: 'POST',
    url: `/users/me/plan/${action}`,
    headers: test.asUser(friend.user_id),
    payload: { plan },
  });
  await test.settle();
}
async function refund(friend: { user_id: string }, amount?: number): Promise<void> {
  const { data } = await test.deps.stripe.charges.list({
    customer: await customerOf(friend.user_id),
  });
  const charge = data.find((one) => one.status === 'succeeded')!.id;
  await test.deps.stripe.refunds.create({ charge, ...(amount && { amount }) });
}
const noReferrals = { pending: 0, successful: 0, earned_cents: 0, currency: 'usd' };

describe('a friend referred by the link', () => {
  it('earns no second credit with a new account and the same unproven number', async () => {
    const referrer = await test.subscribe();
    const friend = await payingFriend(referrer);
    await test.hear('accounts', 'accounts.user.deleted', { user_id: friend.user_id });
    await test.settle();
    await payingFriend(referrer, { phone_hash: friend.phone_hash });
    expect(await figures(referrer)).toMatchObject({ successful: 1, earned_cents: 125 });
  });

  it('is pending during the trial, and earns $1.25 with the first payment, once', async () => {
    const referrer = await test.subscribe();
    expect(await figures(referrer)).toEqual(noReferrals);
    const friend = await test.subscribe({ referrer_user_id: referrer.user_id });
    expect(await figures(referrer)).toEqual({ ...noReferrals, pending: 1 });
    expect(await bookings(referrer)).toEqual([]);
    await pay(friend);
    expect(await figures(referrer)).toEqual({ ...noReferrals, successful: 1, earned_cents: 125 });
    expect(await bookings(referrer)).toEqual([-125]);
    expect(await published(referrer)).toEqual([[1, 1]]);
    const seen = await test.app.inject({
      url: '/users/me/plan',
      headers: test.asUser(referrer.user_id),
    });
    expect(seen.json()).toMatchObject({ credit_cents: 125, next_charge: { amount_cents: 374 } });
    await pay(friend, 'switch', 'yearly');
    expect(await bookings(referrer)).toEqual([-125]);
    expect(await published(referrer)).toEqual([[1, 1]]);
  });

  it('may be named by a repeated signup, but not replaced', async () => {
    const [referrer, other] = [await test.subscribe(), await test.subscribe()];
    const friend = await test.signUp();
    for (const { user_id } of [referrer, other])
      await test.signUp({ ...friend, referrer_user_id: user_id });
    const { body } = await test.checkOut(friend);
    await test.pay(body.session_id);
    await test.settle();
    await pay(friend);
    expect(await figures(referrer)).toMatchObject({ successful: 1, earned_cents: 125 });
    expect(await figures(other)).toEqual(noReferrals);
  });

  it('earns nothing for themselves, or for the same email, phone or card', async () => {
    const card = goodCard();
    const referrer = await test.subscribe({}, card);
    await payingFriend(referrer, { email_hash: referrer.email_hash });
    await payingFriend(referrer, { phone_hash: referrer.phone_hash });
    await payingFriend(referrer, {}, card);
    const own = randomUUID();
    await payingFriend({ user_id: own }, { user_id: own });
    for (const person of [referrer, { user_id: own }]) {
      expect(await figures(person)).toEqual(noReferrals);
      expect(await bookings(person)).toEqual([]);
      expect(await published(person)).toEqual([]);
    }
  });

  it('earns nothing again with another account and the same card', async () => {
    const referrer = await test.subscribe();
    const card = goodCard();
    await payingFriend(referrer, {}, card);
    await payingFriend(referrer, {}, card);
    expect(await figures(referrer)).toMatchObject({ successful: 1, earned_cents: 125 });
    expect(await bookings(referrer)).toEqual([-125]);
  });

  it('earns nothing again with a new account after a deletion', async () => {
    const referrer = await test.subscribe();
    const card = goodCard();
    const friend = await payingFriend(referrer, {}, card);
    await test.hear('accounts', 'accounts.user.deleted', { user_id: friend.user_id });
    await payingFriend(referrer, {}, card);
    expect(await figures(referrer)).toMatchObject({ successful: 1, earned_cents: 125 });
    expect(await bookings(referrer)).toEqual([-125]);
  });

  it("earns nothing if the friend has the referrer's previous number, even after a credit", async () => {
    const referrer = await test.subscribe();
    await test.prove(referrer);
    await test.prove(referrer, { phone_hash: `new-${referrer.phone_hash}` });
    await payingFriend(referrer, { phone_hash: referrer.phone_hash });
    expect(await figures(referrer)).toEqual(noReferrals);
    const friend = await payingFriend(referrer);
    expect(await figures(referrer)).toMatchObject({ successful: 1 });
    await test.prove(friend, { phone_hash: referrer.phone_hash });
    await test.settle();
    expect(await figures(referrer)).toEqual(noReferrals);
    expect((await bookings(referrer)).reduce((sum, amount) => sum + amount, 0)).toBe(0);
  });

  it('earns nothing again with the number of a deleted friend', async () => {
    const referrer = await test.subscribe();
    const friend = await payingFriend(referrer);
    await test.prove(friend);
    await test.hear('accounts', 'accounts.user.deleted', { user_id: friend.user_id });
    await payingFriend(referrer, { phone_hash: friend.phone_hash });
    expect(await figures(referrer)).toMatchObject({ successful: 1, earned_cents: 125 });
  });

  it("whose card turns out to be the referrer's earns nothing", async () => {
    const referrer = await test.signUp();
    const card = goodCard();
    await payingFriend(referrer, {}, card);
    expect(await figures(referrer)).toMatchObject({ successful: 1 });
    const { body } = await test.checkOut(referrer);
    await test.pay(body.session_id, card);
    await test.settle();
    expect(await figures(referrer)).toEqual(noReferrals);
    expect((await bookings(referrer)).reduce((sum, amount) => sum + amount, 0)).toBe(0);
    expect((await published(referrer)).at(-1)?.[1]).toBe(0);
  });
});

describe('the credit', () => {
  it('is emailed to the referrer once, with the amount and the bill that uses it', async () => {
    const referrer = await test.subscribe();
    await test.prove(referrer);
    expect((await read(referrer)).bill.credit_cents).toBe(0);
    const friend = await payingFriend(referrer, { name: 'Bea Noon' });
    const mails = await creditMails(referrer);
    const { bill } = await read(referrer);
    expect(bill).toEqual({ credit_cents: 125, next_bill_at: expect.any(String) });
    const day = dayOf(new Date(bill.next_bill_at ?? ''), referrer.timezone);
    expect(mails.map(({ subject }) => subject)).toEqual(["You've earned $1.25"]);
    expect(mails[0]?.text).toContain(
      `You've earned $1.25. We'll take it off your next bill, on ${day}.`,
    );
    expect(mails[0]?.text).toContain(`${origin}/dashboard?tab=referrals`);
    expect(mails[0]?.text).not.toContain('Bea');
    await pay(friend, 'switch', 'yearly');
    await refund(friend);
    await test.settle();
    expect(await creditMails(referrer)).toHaveLength(1);
  });

  it('is emailed without details to an unconfirmed address', async () => {
    const referrer = await test.subscribe({ name: 'Wilhelmina Secret' });
    await payingFriend(referrer);
    const [mail] = await creditMails(referrer);
    expect(`${mail?.subject} ${mail?.text}`).not.toMatch(/\$|Wilhelmina/);
  });

  it('is reversed in full when the payment is refunded within thirty days', async () => {
    const referrer = await test.subscribe();
    const friend = await payingFriend(referrer);
    await refund(friend, 300);
    await test.settle();
    expect(await figures(referrer)).toMatchObject({ successful: 1 });
    await refund(friend);
    await test.settle();
    expect(await figures(referrer)).toEqual(noReferrals);
    expect(await bookings(referrer)).toEqual([-125, 125]);
    expect(await published(referrer)).toEqual([
      [1, 1],
      [2, 0],
    ]);
  });

  it('stays when the payment is refunded later', async () => {
    const referrer = await test.subscribe();
    const friend = await payingFriend(referrer);
    await test.db
      .updateTable('referrals')
      .set({ paid_at: new Date(test.deps.clock.now().getTime() - (30 * dayMs + 2000)) })
      .where('friend_user_id', '=', friend.user_id)
      .execute();
    await refund(friend);
    await test.settle();
    expect(await bookings(referrer)).toEqual([-125]);
    expect(await figures(referrer)).toMatchObject({ successful: 1 });
  });

  it('waits for a referrer who is not a customer at the provider yet', async () => {
    const referrer = await test.signUp();
    await payingFriend(referrer);
    await payingFriend(referrer);
    expect(await figures(referrer)).toMatchObject({ successful: 2, earned_cents: 250 });
    const { body } = await test.checkOut(referrer);
    await test.settle();
    expect(await bookings(referrer)).toEqual([-125, -125]);
    await test.pay(body.session_id);
    await test.advance(76);
    const { data } = await test.deps.stripe.charges.list({
      customer: await customerOf(referrer.user_id),
    });
    expect(data.map((charge) => charge.amount)).toEqual([249]);
  });

  it.each([
    ['doubled', { duplicate: 1, duplicate_copies: 3 }],
    ['shuffled', { reorder: 0.5 }],
    ['all lost', { drop: 1 }],
  ])('is granted and reversed once, with events %s', async (_name, webhook) => {
    const referrer = await test.subscribe();
    const friends = [await test.subscribe({ referrer_user_id: referrer.user_id })];
    friends.push(await test.subscribe({ referrer_user_id: referrer.user_id }));
    await test.faults({ webhook });
    await Promise.all(friends.map((friend) => pay(friend)));
    await refund(friends[0]!);
    await test.advance(1);
    const sum = (await bookings(referrer)).reduce((total, amount) => total + amount, 0);
    expect(sum).toBe(-125);
    expect(await figures(referrer)).toEqual({ ...noReferrals, successful: 1, earned_cents: 125 });
    const versions = (await published(referrer)).map(([version]) => version);
    expect(versions).toEqual(versions.map((_, n) => n + 1));
  });

  it('recorded before a crash is found again, not recorded twice', async () => {
    const referrer = await test.subscribe();
    const friend = await payingFriend(referrer);
    await test.db
      .updateTable('referrals')
      .set({ booked_cents: 0, bookings: 0 })
      .where('friend_user_id', '=', friend.user_id)
      .execute();
    // Days later the provider has also forgotten the idempotency key.
    await test.db.deleteFrom('provider_tasks').where('subject', '=', friend.user_id).execute();
    await test.db.transaction().execute(async (trx) => {
      await enqueueTask(trx, 'settle_referral', [friend.user_id], test.deps.clock.now());
      await trx
        .updateTable('provider_tasks')
        .set({ attempt: 77 })
        .where('subject', '=', friend.user_id)
        .execute();
    });
    await test.settle();
    expect(await bookings(referrer)).toEqual([-125]);
    const row = await test.db
      .selectFrom('referrals')
      .select(['booked_cents', 'bookings'])
      .where('friend_user_id', '=', friend.user_id)
      .executeTakeFirst();
    expect(row).toEqual({ booked_cents: 125, bookings: 1 });
  });

  it("isn't granted to a deleted account", async () => {
    const referrer = await test.subscribe();
    const friend = await test.subscribe({ referrer_user_id: referrer.user_id });
    await test.hear('accounts', 'accounts.user.deleted', { user_id: referrer.user_id });
    await pay(friend);
    expect(await published(referrer)).toEqual([]);
    expect(await bookings(referrer)).toEqual([]);
  });
});

it('GET /users/me/referrals responds 404 to an unknown user and 401 without a token', async () => {
  const headers = test.asUser(randomUUID());
  const unknown = await test.app.inject({ url: '/users/me/referrals', headers });
  expect(unknown.statusCode).toBe(404);
  expect((await test.app.inject('/users/me/referrals')).statusCode).toBe(401);
});
