import { setTimeout as delay } from 'node:timers/promises';
import type { SignupFacts } from '@daylift/contracts/accounts.http';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { goodCard } from '../../test/cards.ts';
import { journeyMs, startBilling, type TestBilling } from '../../test/harness.ts';
import { customerOf } from '../../test/lost-days.ts';

vi.setConfig({ testTimeout: journeyMs });
let test: TestBilling;
beforeAll(async () => {
  test = await startBilling();
});
afterAll(() => test.stop());
afterEach(() => vi.restoreAllMocks());

async function chargesOf({ user_id }: SignupFacts): Promise<number[]> {
  const customer = await customerOf(test, { user_id });
  const { data } = await test.deps.stripe.charges.list({ customer });
  return data.map(({ amount }) => amount);
}

const trialDays = async (facts: SignupFacts) =>
  (await test.checkOut(facts, {}, test.asUser(facts.user_id))).body.trial_days;
const newPhone = () => ({ phone_hash: crypto.randomUUID() });

it('a number has one trial: after a number change, both the old and the new one have had it', async () => {
  const first = await test.subscribe();
  await test.prove(first);
  const moved = newPhone();
  await test.prove(first, moved);
  for (const phone of [{ phone_hash: first.phone_hash }, moved])
    expect(await trialDays(await test.signUp(phone))).toBe(0);
});

it('a number has one trial, even after its account was deleted', async () => {
  const first = await test.subscribe();
  await test.prove(first);
  await test.hear('accounts', 'accounts.user.deleted', { user_id: first.user_id });
  await test.settle();
  expect(await trialDays(await test.signUp({ phone_hash: first.phone_hash }))).toBe(0);
  expect(await trialDays(await test.signUp({ email_hash: first.email_hash }))).toBe(0);
});

it('a trial under another number ends once a number with an earlier trial is proven', async () => {
  const first = await test.subscribe();
  await test.prove(first);
  const second = await test.subscribe();
  expect(await test.state(second.user_id)).toMatchObject({ status: 'trial' });
  await test.prove(second, { phone_hash: first.phone_hash });
  await test.settle();
  expect(await test.state(second.user_id)).toMatchObject({ status: 'active' });
  const [mail] = (await test.mails(second.email)).filter((one) =>
    /subscription has started/.test(one.subject),
  );
  expect(mail?.text).toContain('phone number was already used for a free trial');
});

it('an email or number has one trial, even if no one has proven it and its account is gone', async () => {
  const first = await test.subscribe();
  await test.hear('accounts', 'accounts.user.deleted', { user_id: first.user_id });
  await test.settle();
  expect(await trialDays(await test.signUp({ phone_hash: first.phone_hash }))).toBe(0);
  expect(await trialDays(await test.signUp({ email_hash: first.email_hash }))).toBe(0);
});

it('a proven email keeps its trial, even if others entered it before', async () => {
  const { email_hash } = await test.subscribe();
  const owner = await test.signUp({ email_hash });
  await test.prove(owner, { phone_proven: false });
  expect(await trialDays(owner)).toBe(3);
});

it('of two open checkouts with one number, one keeps its trial', async () => {
  const phone = newPhone();
  const accounts = [await test.signUp(phone), await test.signUp(phone)];
  const pages = [];
  for (const facts of accounts)
    pages.push((await test.checkOut(facts, {}, test.asUser(facts.user_id))).body);
  expect(pages.map((page) => page.trial_days)).toEqual([3, 3]);
  for (const page of pages) await test.pay(page.session_id);
  const shown = [];
  for (const { session_id } of pages)
    shown.push((await test.app.inject(`/payments/status/${session_id}`)).json().trial);
  expect(shown.toSorted()).toEqual([false, true]);
  await test.settle();
  const states = await Promise.all(accounts.map(({ user_id }) => test.state(user_id)));
  expect(states.map((state) => state?.status).toSorted()).toEqual(['active', 'trial']);
});

it('an account has one trial, whatever its contacts change to', async () => {
  const facts = await test.subscribe();
  await test.deps.stripe.subscriptions.cancel(
    (
      await test.db
        .selectFrom('subscriptions')
        .select('stripe_subscription_id')
        .where('user_id', '=', facts.user_id)
        .executeTakeFirstOrThrow()
    ).stripe_subscription_id ?? '',
  );
  await test.settle();
  await test.prove(facts, { ...newPhone(), email: 'new@people.test', email_hash: 'new' });
  expect(await trialDays(facts)).toBe(0);
});

it('mails and the provider use a changed email, whatever the order of events', async () => {
  const facts = await test.subscribe();
  const email = `new-${facts.email}`;
  await test.prove(facts, { email, version: 1_000 });
  await test.prove(facts, { version: 999 });
  await test.settle();
  await test.app.inject({
    method: 'POST',
    url: '/users/me/plan/cancel',
    headers: test.asUser(facts.user_id),
  });
  await test.settle();
  expect((await test.mails(email)).map((mail) => mail.subject)).toEqual([
    'Your subscription is canceled',
  ]);
  const { data } = await test.deps.stripe.customers.list({ email });
  expect(data).toHaveLength(1);
});

it('a plan chosen while a second trial ends is charged only once', async () => {
  const card = goodCard();
  await test.subscribe({}, card);
  const person = await test.signUp();
  const { body } = await test.checkOut(person);
  const { subscriptions } = test.deps.stripe;
  const update = subscriptions.update.bind(subscriptions);
  const upgrades: Promise<unknown>[] = [];
  const requested = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<void>();
  vi.spyOn(subscriptions, 'update').mockImplementation(async (id, params, options) => {
    if (params?.items !== undefined) {
      requested.resolve();
      await ended.promise;
    } else if (params?.trial_end === 'now') {
      upgrades.push(test.callAsUser(person.user_id, 'plan/upgrade', { plan: 'yearly' }));
      // Nothing is asked of the provider if the upgrade waits.
      await Promise.race([requested.promise, delay(1_000)]);
      const updated = await update(id, params, options);
      ended.resolve();
      return updated;
    }
    return update(id, params, options);
  });
  await test.pay(body.session_id, card);
  await test.settle();
  expect(await Promise.all(upgrades)).toMatchObject([{ code: 'TRIAL_OVER' }]);
  expect(await chargesOf(person)).toEqual([499]);
});

it('a second trial that is being upgraded ends with the upgrade, and is charged once', async () => {
  const owner = await test.subscribe();
  await test.prove(owner);
  const person = await test.subscribe();
  const { subscriptions } = test.deps.stripe;
  const update = subscriptions.update.bind(subscriptions);
  vi.spyOn(subscriptions, 'update').mockImplementationOnce(async (id, params, options) => {
    // The number turns out to be one that had a trial.
    await test.prove(person, { phone_hash: owner.phone_hash });
    await test.settle();
    return update(id, params, options);
  });
  await test.callAsUser(person.user_id, 'plan/upgrade', { plan: 'yearly' });
  await test.advance(1);
  expect(await chargesOf(person)).toEqual([4999]);
});
