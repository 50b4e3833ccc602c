import { randomUUID } from 'node:crypto';
import { dayMs } from '@daylift/clock/durations';
import type { PlanView } from '@daylift/contracts/billing.http';
import type { PriceMoves } from '@daylift/contracts/price-moves.http';
import { publishedEvents } from '@daylift/testing/published';
import Stripe from 'stripe';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { journeyMs, startBilling, type TestBilling } from '../../test/harness.ts';
import { customerOf } from '../../test/lost-days.ts';

vi.setConfig({ testTimeout: journeyMs });
let test: TestBilling;
beforeAll(async () => {
  test = await startBilling();
});
afterAll(() => test.stop());

type Person = { user_id: string; email: string };

async function call<T>({ user_id }: Person, path = '', payload?: object): Promise<T> {
  const answer = await test.app.inject({
    method: payload ? 'POST' : 'GET',
    url: `/users/me/plan${path}`,
    headers: test.asUser(user_id),
    ...(payload && { payload }),
  });
  return answer.json();
}
const view = (person: Person) => call<PlanView>(person);
const staff = {
  ...{ kind: 'admin' as const, admin_id: randomUUID(), username: 'olive', session_version: 0 },
} as const;
async function owner(payload?: object) {
  const answer = await test.app.inject({
    method: payload ? 'POST' : 'GET',
    url: '/admin/price-moves',
    headers: test.as({ ...staff, role: 'owner' }),
    ...(payload && { payload }),
  });
  return { status: answer.statusCode, body: answer.json<PriceMoves & { code: string }>() };
}
const moveOf = (from_cents: number, to_cents: number) => ({
  ...{ plan: 'monthly', from_cents, to_cents, reason: 'Texts cost more' },
  request_key: randomUUID(),
});
async function chargesOf(person: Person): Promise<number[]> {
  const customer = await customerOf(test, person);
  const { data } = await test.deps.stripe.charges.list({ customer });
  return data.map(({ amount }) => amount).reverse();
}
const priceMail = async ({ email }: Person) =>
  (await test.mails(email)).filter(({ subject }) => subject.startsWith('Your price changes'));
const subjectsOf = async ({ email }: Person) =>
  (await test.mails(email)).map(({ subject }) => subject);
async function mrrOf({ user_id }: Person) {
  const rows = await test.db
    .selectFrom('mrr_changes')
    .select(['kind', 'after_cents', 'at'])
    .where('user_id', '=', user_id)
    .orderBy('position')
    .execute();
  return rows;
}
async function proven(facts = {}): Promise<Person> {
  const person = await test.subscribe(facts);
  await test.prove(person);
  return person;
}
const linkIn = (text: string) => /keep-price#(\S+)/.exec(text)?.[1] ?? '';

it('moves each subscriber at the first renewal 30 days after their email, whatever they do meanwhile', async () => {
  const stays = await proven();
  const declines = await proven();
  const returns = await proven();
  const switches = await proven();
  const leaves = await proven();
  const yearly = await proven({ plan: 'yearly' });
  await test.advance(24 * 20);
  const tries = await proven();
  const declinesByLink = await proven();
  await call(declinesByLink, '/upgrade', { plan: 'monthly' });
  test.deps.catalogue.plans.monthly.price_cents = 599;
  test.deps.prices.forget();
  const newcomer = await proven();
  await test.settle();

  const before = (await owner()).body;
  expect(before.groups).toMatchObject([
    { plan: 'monthly', from_cents: 499, to_cents: 599, subscribers: 7 },
  ]);
  expect((await owner(moveOf(499, 699))).body.code).toBe('PRICES_CHANGED');
  expect((await owner(moveOf(399, 599))).body.code).toBe('NOTHING_TO_MOVE');
  const wanted = moveOf(499, 599);
  const answers = await Promise.all([owner(wanted), owner(wanted), owner(wanted)]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect((await owner({ ...wanted, reason: 'Another' })).body.code).toBe('REQUEST_KEY_REUSED');
  await test.settle();
  const announcedAt = test.deps.clock.now();
  const { groups, moves } = (await owner()).body;
  expect(groups).toEqual([]);
  expect(moves).toMatchObject([{ announced: 7, declined: 0, reason: 'Texts cost more' }]);
  const audited = await publishedEvents(test.db, 'billing.admin.acted');
  expect(audited.map(({ data }) => data)).toMatchObject([
    { action: 'prices.moved', username: 'olive', details: { subscribers: 7 } },
  ]);

  const [mail, ...more] = await priceMail(stays);
  expect(more).toEqual([]);
  const shown = await view(stays);
  const at = shown.price_change?.at ?? '';
  expect(Date.parse(at) - announcedAt.getTime()).toBeGreaterThan(30 * dayMs);
  expect(
    [before.groups[0]!.first_at, at, before.groups[0]!.last_at].map((one) => one.slice(0, 10)),
  ).toEqual(['2027-04-29', '2027-05-09', '2027-05-26']);
  expect(mail?.text).toContain('from $4.99 a month to $5.99 a month');
  expect(shown).toMatchObject({
    price_cents: 499,
    price_change: { to_cents: 599, declined: false },
    next_charge: { amount_cents: 499 },
  });
  expect((await view(newcomer)).price_change).toBeUndefined();
  expect((await view(yearly)).price_change).toBeUndefined();

  expect(await call<PlanView>(declines, '/price', { accept: false })).toMatchObject({
    cancel_at_period_end: false,
    price_change: { declined: true },
  });
  const internal = async (path: string) => {
    const headers = test.as({ kind: 'service', name: 'accounts' });
    return (await test.app.inject({ url: `/internal/${path}`, headers })).json();
  };
  const told = { from_cents: 499, to_cents: 599, state: 'announced' };
  const declined_at = expect.any(String);
  const timeline = await internal(`timeline/${declines.user_id}?kinds=payments`);
  expect(timeline.price_changes).toMatchObject([{ ...told, declined_at }]);
  expect((await internal(`export/${declines.user_id}`)).price_changes).toMatchObject([
    { from_cents: 499, declined_at },
  ]);

  await call(returns, '/price', { accept: false });
  await call(returns, '/price', { accept: false });
  expect((await call<PlanView>(returns, '/price', { accept: true })).price_change).toMatchObject({
    declined: false,
  });
  const token = linkIn((await priceMail(declinesByLink))[0]?.text ?? '');
  const byLink = await test.app.inject({
    method: 'POST',
    url: '/plans/cancel',
    payload: { token },
  });
  expect(byLink.json()).toEqual({ ends_at: (await view(declinesByLink)).price_change?.at });
  await call(switches, '/switch', { plan: 'yearly' });
  await call(leaves, '/cancel', {});
  const { code } = await call<{ code: string }>(newcomer, '/price', { accept: false });
  expect(code).toBe('NO_PRICE_CHANGE');

  // The last period at the old price begins.
  await test.advance(24 * 16);
  expect(await view(stays)).toMatchObject({
    price_cents: 499,
    price_change: { at },
    next_charge: { at, amount_cents: 599 },
  });
  expect(await view(declines)).toMatchObject({ cancel_at_period_end: true, next_charge: null });
  expect((await mrrOf(stays)).map(({ kind }) => kind)).toEqual(['new']);

  await test.advance(24 * 46);
  expect(await chargesOf(stays)).toEqual([499, 499, 599]);
  expect(await chargesOf(returns)).toEqual([499, 499, 599]);
  expect(await chargesOf(tries)).toEqual([499, 599]);
  expect(await chargesOf(declines)).toEqual([499, 499]);
  expect(await chargesOf(declinesByLink)).toEqual([499, 499]);
  expect(await chargesOf(leaves)).toEqual([499]);
  expect((await chargesOf(switches))[0]).toBe(499);
  expect(await chargesOf(switches)).toHaveLength(2);
  expect(await view(stays)).toMatchObject({ price_cents: 599, next_charge: { amount_cents: 599 } });
  expect((await view(stays)).price_change).toBeUndefined();
  const mrr = await mrrOf(stays);
  expect(mrr.map(({ kind, after_cents }) => [kind, after_cents])).toEqual([
    ['new', 499],
    ['expansion', 599],
  ]);
  expect(mrr[1]?.at.getTime()).toBeGreaterThanOrEqual(Date.parse(at));
  expect(
    (await subjectsOf(returns)).filter((one) => one === 'You keep your current price'),
  ).toHaveLength(1);
  expect((await owner()).body.moves).toMatchObject([
    { planned: 0, announced: 0, applied: 3, declined: 2, dropped: 2 },
  ]);
});

it('keeps the promised notice after a lost response, a late email, free days, and STOP with START', async () => {
  const paying = async (facts = {}) => {
    const person = await proven(facts);
    await call(person, '/upgrade', { plan: 'monthly' });
    return person;
  };
  const lost = await paying();
  const late = await paying();
  const free = await paying();
  const stops = await paying();
  const unproven = await test.subscribe();
  test.deps.catalogue.plans.monthly.price_cents = 699;
  test.deps.prices.forget();
  await test.settle();
  await owner(moveOf(599, 699));
  await test.settle();
  const [unseen] = (await test.mails(unproven.email)).slice(-1);
  expect(unseen?.text).not.toContain('$');
  await call(stops, '/price', { accept: false });
  await test.db
    .updateTable('mails')
    .set({ sent_at: new Date(test.deps.clock.now().getTime() + 32 * dayMs) })
    .where('user_id', '=', late.user_id)
    .where('subject', 'like', 'Your price changes%')
    .execute();
  const headers = test.as({ ...staff, role: 'owner' });
  const payload = { days: 10, reason: 'An outage', request_key: randomUUID() };
  const url = `/admin/subscriptions/${free.user_id}/free-days`;
  await test.app.inject({ method: 'POST', url, headers, payload });
  const { subscriptions } = test.deps.stripe;
  const original = subscriptions.update.bind(subscriptions);
  const updates = vi.spyOn(subscriptions, 'update').mockImplementationOnce(async (...request) => {
    await original(...request);
    throw new Stripe.errors.StripeConnectionError({ message: 'lost', type: 'api_error' });
  });

  await test.advance(24 * 33, 24);
  updates.mockRestore();
  const reply = async (type: 'opted_out' | 'opted_in', more = {}) => {
    const at = test.deps.clock.now().toISOString();
    await test.hear('sms', `sms.recipient.${type}`, { user_id: stops.user_id, at, ...more });
    await test.advance(1);
  };
  await reply('opted_out', { source: 'keyword' });
  await reply('opted_in');
  expect(await view(stops)).toMatchObject({ cancel_at_period_end: true });
  expect(await view(lost)).toMatchObject({ price_cents: 599, next_charge: { amount_cents: 699 } });

  await test.advance(24 * 64, 24);
  expect(await chargesOf(lost)).toEqual([599, 599, 699, 699]);
  expect(await chargesOf(late)).toEqual([599, 599, 599, 699]);
  expect(await chargesOf(free)).toEqual([599, 599, 699]);
  expect(await chargesOf(stops)).toEqual([599, 599]);
});
