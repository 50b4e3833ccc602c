import { randomUUID } from 'node:crypto';
import { dayMs, hourMs } from '@daylift/clock/durations';
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
  const response = await test.app.inject({
    method: payload ? 'POST' : 'GET',
    url: `/users/me/plan${path}`,
    headers: test.asUser(user_id),
    ...(payload && { payload }),
  });
  return response.json();
}
const view = (person: Person) => call<PlanView>(person);
const staff = {
  ...{ kind: 'admin' as const, admin_id: randomUUID(), username: 'olive', session_version: 0 },
} as const;
async function owner(payload?: object, path = '', role: 'owner' | 'operator' = 'owner') {
  const response = await test.app.inject({
    method: payload ? 'POST' : 'GET',
    url: `/admin/price-moves${path}`,
    headers: test.as({ ...staff, role }),
    ...(payload && { payload }),
  });
  return { status: response.statusCode, body: response.json<PriceMoves & { code: string }>() };
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
async function paying(facts = {}): Promise<Person> {
  const person = await proven(facts);
  await call(person, '/upgrade', { plan: 'monthly' });
  return person;
}
const linkIn = (text: string) => /keep-price#(\S+)/.exec(text)?.[1] ?? '';
async function declineByLink(person: Person) {
  const payload = { token: linkIn((await priceMail(person))[0]?.text ?? '') };
  return (await test.app.inject({ method: 'POST', url: '/plans/cancel', payload })).json();
}
function setPrice(cents: number): void {
  test.deps.catalogue.plans.monthly.price_cents = cents;
  test.deps.prices.forget();
}

it('moves each subscriber at the first renewal 30 days after their email, whatever they do in the meantime', async () => {
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
  setPrice(599);
  const newcomer = await proven();
  await test.settle();

  const before = (await owner()).body;
  expect(before.groups).toMatchObject([
    { plan: 'monthly', from_cents: 499, to_cents: 599, subscribers: 7 },
  ]);
  expect((await owner(moveOf(499, 699))).body.code).toBe('PRICES_CHANGED');
  expect((await owner(moveOf(399, 599))).body.code).toBe('NOTHING_TO_MOVE');
  const wanted = moveOf(499, 599);
  const responses = await Promise.all([owner(wanted), owner(wanted), owner(wanted)]);
  expect(responses.map(({ status }) => status)).toEqual([200, 200, 200]);
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
  const dates = [before.groups[0]!.first_at, at, before.groups[0]!.last_at];
  expect(dates.map((one) => one.slice(0, 10))).toEqual(['2027-04-29', '2027-05-09', '2027-05-26']);
  const [first, last] = [await view(tries), await view(declinesByLink)];
  expect([dates[0], dates[2]]).toEqual([first.price_change?.at, last.price_change?.at]);
  // First a cancellation with an unknown outcome, while the provider is down.
  vi.spyOn(test.deps.stripe.subscriptions, 'update').mockRejectedValueOnce(
    new Stripe.errors.StripeConnectionError({ message: 'lost', type: 'api_error' }),
  );
  const unavailable = { code: 'PLAN_UNAVAILABLE' };
  expect(await call(stays, '/cancel', {})).toMatchObject(unavailable);
  await test.faults({ stripe_down: true });
  expect(await call(stays, '/price', { accept: false })).toMatchObject(unavailable);
  await test.faults({});
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
  const announced = { from_cents: 499, to_cents: 599, state: 'announced' };
  const declined_at = expect.any(String);
  const timeline = await internal(`timeline/${declines.user_id}?kinds=payments`);
  expect(timeline.price_changes).toMatchObject([{ ...announced, declined_at }]);
  expect((await internal(`export/${declines.user_id}`)).price_changes).toMatchObject([
    { from_cents: 499, declined_at },
  ]);

  await call(returns, '/price', { accept: false });
  await call(returns, '/price', { accept: false });
  expect((await call<PlanView>(returns, '/price', { accept: true })).price_change).toMatchObject({
    declined: false,
  });
  const byLink = await declineByLink(declinesByLink);
  expect(byLink).toEqual({ ends_at: (await view(declinesByLink)).price_change?.at });
  await call(switches, '/switch', { plan: 'yearly' });
  await call(leaves, '/cancel', {});
  const { code } = await call<{ code: string }>(newcomer, '/price', { accept: false });
  expect(code).toBe('NO_PRICE_CHANGE');

  // The last period at the old price starts.
  await test.advance(24 * 16);
  expect(await view(stays)).toMatchObject({
    price_cents: 499,
    price_change: { at },
    next_charge: { at, amount_cents: 599 },
  });
  expect(await view(declines)).toMatchObject({ cancel_at_period_end: true, next_charge: null });
  expect((await mrrOf(stays)).map(({ kind }) => kind)).toEqual(['new']);
  await call(returns, '/price', { accept: false });
  await call(returns, '/undo-cancel', {});

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
  const lost = await paying();
  const late = await paying();
  const lateDeclines = await paying();
  const free = await paying();
  const stops = await paying();
  const unproven = await test.subscribe();
  setPrice(699);
  await test.settle();
  const started = await Promise.all([owner(moveOf(599, 699)), owner(moveOf(599, 699))]);
  expect(started.map(({ status }) => status).sort()).toEqual([200, 409]);
  await test.settle();
  expect(await priceMail(lost)).toHaveLength(1);
  const [unseen] = (await test.mails(unproven.email)).slice(-1);
  expect(unseen?.text).not.toContain('$');
  const reply = async (type: 'opted_out' | 'opted_in', more = {}) => {
    const at = test.deps.clock.now().toISOString();
    await test.hear('sms', `sms.recipient.${type}`, { user_id: stops.user_id, at, ...more });
    await test.advance(1);
  };
  await reply('opted_out', { source: 'keyword' });
  await call(stops, '/price', { accept: false });
  await reply('opted_in');
  expect(await view(stops)).toMatchObject({ cancel_at_period_end: false });
  await test.db
    .updateTable('mails')
    .set({ sent_at: new Date(test.deps.clock.now().getTime() + 32 * dayMs) })
    .where('user_id', 'in', [late.user_id, lateDeclines.user_id])
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

  await test.advance(24 * 33);
  updates.mockRestore();
  await reply('opted_out', { source: 'keyword' });
  await reply('opted_in');
  expect(await view(stops)).toMatchObject({ cancel_at_period_end: true });
  expect(await view(lost)).toMatchObject({ price_cents: 599, next_charge: { amount_cents: 699 } });

  await test.advance(24 * 30);
  const { price_change: delayed } = await view(lateDeclines);
  expect(await declineByLink(lateDeclines)).toEqual({ ends_at: delayed?.at });

  // Back to the earlier price, while another process still sells a third one.
  setPrice(599);
  const found = await test.deps.prices.find('monthly', 'usd');
  vi.spyOn(test.deps.prices, 'find').mockImplementationOnce(async () => {
    setPrice(799);
    return found;
  });
  await owner(moveOf(699, 599));
  await test.settle();
  expect(await priceMail(lost)).toHaveLength(1);
  setPrice(599);
  await test.advance(24);
  expect(await priceMail(lost)).toHaveLength(2);
  await test.advance(24 * 60);
  expect(await chargesOf(lost)).toEqual([599, 599, 699, 699, 599]);
  expect(await chargesOf(late)).toEqual([599, 599, 599, 699, 699]);
  expect(await chargesOf(lateDeclines)).toEqual([599, 599, 599]);
  expect(await chargesOf(free)).toEqual([599, 599, 699, 699]);
  expect(await chargesOf(stops)).toEqual([599, 599]);
  expect((await view(lost)).price_change).toBeUndefined();
  setPrice(699);
  expect((await owner()).body.groups).toMatchObject([{ from_cents: 599, to_cents: 699 }]);
});

it('a later move keeps the promised notice and earlier opt-outs', async () => {
  setPrice(899);
  const person = await paying();
  const declines = await paying();
  setPrice(999);
  await owner(moveOf(899, 999));
  await test.settle();
  await call(declines, '/price', { accept: false });
  const untilHour = (at: string | null | undefined) =>
    Math.ceil((Date.parse(at ?? '') - test.deps.clock.now().getTime()) / hourMs);
  await test.advance(untilHour((await view(person)).current_period_end) + 1);
  const { subscriptions } = test.deps.stripe;
  const original = subscriptions.retrieve.bind(subscriptions);
  const { stripe_subscription_id: own } = await test.db
    .selectFrom('subscriptions')
    .select('stripe_subscription_id')
    .where('user_id', '=', person.user_id)
    .executeTakeFirstOrThrow();
  const statuses: number[] = [];
  const reads = vi.spyOn(subscriptions, 'retrieve').mockImplementation(async (...request) => {
    if (request[0] === own && statuses.length === 0) {
      setPrice(1099);
      statuses.push(0);
      statuses.push((await owner(moveOf(899, 1099))).status);
    }
    return original(...request);
  });
  await test.advance(2);
  reads.mockRestore();
  expect(statuses).toEqual([0, 200]);
  expect(await priceMail(person)).toHaveLength(2);
  const { next_charge, price_change } = await view(person);
  expect(next_charge?.amount_cents).toBe(899);
  expect(price_change).toMatchObject({ to_cents: 1099, declined: false });
  expect(untilHour(price_change?.at)).toBeGreaterThan(30 * 24);
  expect(await view(declines)).toMatchObject({ price_cents: 899, cancel_at_period_end: true });
});

it('stopping a move withdraws announced prices by email, keeps prices already set, and ends plans of subscribers who opted out unless they keep them', async () => {
  setPrice(1199);
  const isSet = await paying();
  await test.advance(24 * 20);
  const stays = await paying();
  const declines = await paying();
  const returns = await paying();
  const leaves = await paying();
  await call(leaves, '/cancel', {});
  setPrice(1299);
  const wanted = moveOf(1199, 1299);
  await owner(wanted);
  await test.settle();
  for (const one of [declines, returns]) await call(one, '/price', { accept: false });
  await test.advance(24 * 12);
  expect((await owner()).body.moves[0]).toMatchObject({ planned: 1, announced: 1, applied: 1 });

  const stop = (role: 'owner' | 'operator' = 'owner') =>
    owner({ reason: 'Costs fell again' }, `/${wanted.request_key}/stop`, role);
  expect((await stop('operator')).status).toBe(403);
  expect((await owner({ reason: 'Unknown' }, `/${randomUUID()}/stop`)).status).toBe(404);
  expect((await Promise.all([stop(), stop()])).map(({ status }) => status)).toEqual([200, 200]);
  await test.settle();
  const { groups, moves } = (await owner()).body;
  expect(groups.find((one) => one.from_cents === 1199)?.subscribers).toBe(2);
  expect(moves[0]).toMatchObject({ planned: 0, announced: 0, applied: 1, declined: 2, dropped: 2 });
  expect(moves[0]?.stopped_at).not.toBeNull();
  const events = await publishedEvents(test.db, 'billing.admin.acted');
  const stops = events.filter(({ data }) => JSON.stringify(data).includes('prices.move_stopped'));
  expect(stops).toMatchObject([{ data: { details: { subscribers: 2 } } }]);

  expect((await view(stays)).price_change).toBeUndefined();
  expect((await view(isSet)).price_change).toMatchObject({ to_cents: 1299 });
  expect((await view(declines)).price_change).toMatchObject({ declined: true });
  const withdrawn = await Promise.all([stays, isSet, declines, leaves].map(subjectsOf));
  expect(
    withdrawn.map((subjects) => subjects.filter((one) => one.includes('stays the same')).length),
  ).toEqual([1, 0, 0, 0]);

  for (const one of [declines, returns])
    expect((await subjectsOf(one)).at(-1)).toBe('You can keep your plan at your current price');
  await call(returns, '/price', { accept: true });
  await test.settle();
  expect((await subjectsOf(returns)).at(-1)).toBe('Your price stays the same');
  expect((await view(returns)).price_change).toBeUndefined();
  const { at: end = '' } = (await view(declines)).price_change ?? {};
  await test.advance((Date.parse(end) - test.deps.clock.now().getTime()) / hourMs - 24 * 20);
  const ending = await view(declines);
  expect(ending).toMatchObject({ cancel_at_period_end: true, current_period_end: end });
  expect(ending.price_change).toBeUndefined();
  await call(declines, '/undo-cancel', {});
  const { next_charge } = await view(declines);
  expect(next_charge).toMatchObject({ at: end, amount_cents: 1199 });
  expect((await subjectsOf(declines)).filter((one) => one.startsWith('You can keep'))).toHaveLength(
    1,
  );
});

it('a price that was just set when its move is stopped stays set', async () => {
  setPrice(1399);
  const person = await paying();
  const headers = test.as({ ...staff, role: 'owner' });
  const payload = { days: 10, reason: 'An outage', request_key: randomUUID() };
  const url = `/admin/subscriptions/${person.user_id}/free-days`;
  expect((await test.app.inject({ method: 'POST', url, headers, payload })).statusCode).toBe(200);
  await test.settle();
  setPrice(1499);
  const wanted = moveOf(1399, 1499);
  const { subscriptions } = test.deps.stripe;
  const original = subscriptions.update.bind(subscriptions);
  const stopped: number[] = [];
  const updates = vi.spyOn(subscriptions, 'update').mockImplementationOnce(async (...request) => {
    await original(...request);
    const response = await owner({ reason: 'Costs fell again' }, `/${wanted.request_key}/stop`);
    stopped.push(response.status);
    throw new Stripe.errors.StripeConnectionError({ message: 'lost', type: 'api_error' });
  });
  await owner(wanted);
  await test.settle();
  await test.advance(1 / 6);
  // The retry is due seconds later.
  await test.advance(1 / 6);
  updates.mockRestore();
  expect(stopped).toEqual([200]);
  expect((await owner()).body.moves[0]).toMatchObject({ announced: 0, applied: 1, dropped: 0 });
  expect(await view(person)).toMatchObject({
    price_cents: 1399,
    price_change: { to_cents: 1499, declined: false },
    next_charge: { amount_cents: 1499 },
  });
});
