import { hourMs } from '@daylift/clock/durations';
import type { PlanView } from '@daylift/contracts/billing.http';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { up as createDunning } from '../../migrations/055_create_dunning.ts';
import { confirmedCard, failingCard, goodCard } from '../../test/cards.ts';
import { journeyMs, origin, startBilling, type TestBilling } from '../../test/harness.ts';
import { enqueueTask } from '../provider-tasks/provider-tasks.repository.ts';
import { findDunning } from './dunning.repository.ts';
import { stageOf } from './stages.ts';

vi.setConfig({ testTimeout: journeyMs });
let test: TestBilling;
beforeAll(async () => {
  test = await startBilling({ clockStart: '2027-03-06T12:00:00Z' });
});
afterAll(() => test.stop());
beforeEach(() => test.reset());

type Person = { user_id: string; email: string };

/** Creates a subscriber whose first charge just failed. */
async function owing(card = failingCard()) {
  const person = await test.subscribe({}, card);
  await test.prove(person);
  await test.advance(74);
  return person;
}
async function plan({ user_id }: Person): Promise<PlanView> {
  const headers = test.asUser(user_id);
  return (await test.app.inject({ url: '/users/me/plan', headers })).json();
}
/** Returns the mails about the failed payment. */
async function reminders({ email }: Person) {
  const all = await test.mails(email);
  return all.filter(({ subject }) => !/trial|receipt/.test(subject));
}
const subjects = async (person: Person) => (await reminders(person)).map((one) => one.subject);
const linksIn = (text: string) => text.match(/https?:\S+/g) ?? [];
async function useCard(person: Person, number: string): Promise<void> {
  const { json } = await test.app.inject({
    method: 'POST',
    url: '/users/me/plan/portal',
    headers: test.asUser(person.user_id),
    payload: { origin_url: origin },
  });
  const form = { card_number: number, expiry: '12/40', cvc: '123', name: 'Ada' };
  await fetch(json().url, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams({ action: 'update_card', ...form }),
  });
  await test.settle();
}
const dayOf = (instant: string, timeZone = 'America/New_York') =>
  new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone }).format(new Date(instant));

describe('After a failed payment', () => {
  it('sends one email per stage, up to date, with one link and the same dates as the dashboard', async () => {
    await test.faults({ stripe: { retry_days: [30] } });
    const person = await owing();
    const { owed } = await plan(person);
    const stop = dayOf(owed?.texts_until ?? '');
    const expected = [
      "Your payment didn't go through",
      'Your payment is still due',
      `Your texts stop on ${stop}`,
      `Last reminder: your texts stop on ${stop}`,
      'Your texts have stopped',
    ];
    expect(await subjects(person)).toEqual(expected.slice(0, 1));
    await test.advance(70);
    expect(await subjects(person)).toEqual(expected.slice(0, 1));
    await test.advance(4);
    expect(await subjects(person)).toEqual(expected.slice(0, 2));
    await test.advance(48);
    expect(await subjects(person)).toEqual(expected.slice(0, 3));
    await test.advance(24);
    expect(await subjects(person)).toEqual(expected.slice(0, 4));
    expect(await test.state(person.user_id)).toMatchObject({ entitled: true });
    await test.advance(24);
    expect(await subjects(person)).toEqual(expected);
    expect(await test.state(person.user_id)).toMatchObject({ entitled: false });
    await test.advance(24 * 3);
    const mails = await reminders(person);
    expect(mails).toHaveLength(expected.length);
    for (const { text } of mails) {
      expect(linksIn(text)).toEqual([`${origin}/dashboard?tab=plan`]);
      expect(text).toContain('$4.99');
    }
    for (const { text } of mails.slice(0, 4)) expect(text).toContain(`stop on ${stop}`);
    await useCard(person, goodCard());
    expect(await test.state(person.user_id)).toMatchObject({ status: 'active', entitled: true });
  });

  it('stops texts exactly when the emails said', async () => {
    await test.faults({ stripe: { retry_days: [30] } });
    const person = await owing();
    const { owed } = await plan(person);
    const end = owed?.texts_until ?? '';
    const toEnd = (Date.parse(end) - test.deps.clock.now().getTime()) / 3_600_000;
    await test.advance(toEnd - 1 / 60);
    expect((await plan(person)).owed).toMatchObject({ texts_until: end });
    await test.advance(1 / 60);
    expect((await plan(person)).owed).toMatchObject({ texts_until: null });
    expect(await subjects(person)).toContain('Your texts have stopped');
  });

  it('sends no more emails once it is paid', async () => {
    await test.faults({ stripe: { retry_days: [30] } });
    const person = await owing();
    await useCard(person, goodCard());
    await test.advance(24 * 8);
    expect(await subjects(person)).toEqual(["Your payment didn't go through"]);
  });

  it('ends the reminders even if the payment webhook was lost', async () => {
    await test.faults({ stripe: { retry_days: [30] } });
    const person = await owing();
    await test.faults({ webhook: { drop: 1 }, stripe: { retry_days: [30] } });
    await useCard(person, goodCard());
    const open = await test.deps.stripe.invoices.list({ status: 'open', limit: 100 });
    const own = open.data.find((one) => one.customer_email === person.email);
    if (own !== undefined) await test.deps.stripe.invoices.pay(own.id);
    await test.advance(24 * 8);
    expect(await subjects(person)).toEqual(["Your payment didn't go through"]);
  });

  it('reports an unpaid end once, with a link to subscribe again', async () => {
    await test.faults({ stripe: { retry_days: [4] } });
    const person = await owing();
    await test.advance(24 * 10);
    expect(await test.state(person.user_id)).toMatchObject({ status: 'canceled', entitled: false });
    expect(await subjects(person)).toEqual([
      "Your payment didn't go through",
      'Your payment is still due',
      'Your subscription has ended',
    ]);
    const last = (await reminders(person)).at(-1);
    expect(linksIn(last?.text ?? '')).toEqual([`${origin}/dashboard?tab=plan`]);
  });

  it('shows dates in the new time zone after a move', async () => {
    await test.faults({ stripe: { retry_days: [30] } });
    const person = await owing();
    const settings = {
      ...{ user_id: person.user_id, version: 2, timezone: 'Pacific/Kiritimati' },
      ...{ delivery_hour: 9, frequency: 'daily', weekday: null, is_active: true },
      ...{ delivery_enabled: true, paused_until: null, consent: 'granted' },
      registered_at: test.deps.clock.now().toISOString(),
    };
    await test.hear('accounts', 'accounts.settings.changed', settings);
    const older = { ...settings, version: 1, timezone: 'Pacific/Pago_Pago' };
    await test.hear('accounts', 'accounts.settings.changed', older);
    await test.advance(73);
    const { owed } = await plan(person);
    const [, second] = await reminders(person);
    expect(second?.text).toContain(`stop on ${dayOf(owed?.texts_until ?? '', settings.timezone)}`);
  });
});

describe('A new card', () => {
  it('is charged immediately, and only once', async () => {
    await test.faults({ stripe: { retry_days: [6] } });
    const person = await owing();
    await useCard(person, goodCard());
    expect(await plan(person)).toMatchObject({ status: 'active', owed: null });
    const headers = test.asUser(person.user_id);
    const invoices = (await test.app.inject({ url: '/users/me/invoices', headers })).json();
    expect(invoices).toMatchObject([{ amount_cents: 499, status: 'paid' }]);
    const receipts = (await test.mails(person.email)).filter((one) => /receipt/.test(one.subject));
    expect(receipts).toHaveLength(1);
  });

  it('that is declined too leaves the payment open, and the next one is charged', async () => {
    await test.faults({ stripe: { retry_days: [6] } });
    const person = await owing();
    await useCard(person, failingCard());
    expect(await plan(person)).toMatchObject({ owed: { card_declined: true } });
    await useCard(person, goodCard());
    expect(await plan(person)).toMatchObject({ status: 'active', owed: null });
  });
});

const subscriptionOf = async ({ user_id }: Person): Promise<string> => {
  const { stripe_subscription_id } = await test.db
    .selectFrom('subscriptions')
    .select('stripe_subscription_id')
    .where('user_id', '=', user_id)
    .executeTakeFirstOrThrow();
  return stripe_subscription_id ?? '';
};

describe('A charge of a new card', () => {
  it('is not made for a plan that was canceled meanwhile', async () => {
    const stripe = { retry_days: [30] };
    await test.faults({ stripe });
    const person = await owing();
    await test.faults({ webhook: { drop: 1 }, stripe });
    await useCard(person, goodCard());
    const id = await subscriptionOf(person);
    const { customer } = await test.deps.stripe.subscriptions.cancel(id);
    await enqueueTask(test.db, 'retry_payment', [id], test.deps.clock.now());
    await test.settle();
    const { data } = await test.deps.stripe.charges.list({ customer: customer as string });
    expect(data.filter((one) => one.paid)).toEqual([]);
    expect(await plan(person)).toMatchObject({ status: 'canceled' });
  });

  it('is made although the card was replaced before the failure was noticed', async () => {
    const stripe = { retry_days: [30] };
    await test.faults({ stripe });
    const person = await test.subscribe({}, failingCard());
    await test.advance(72.9);
    await test.faults({ webhook: { drop: 1 }, stripe });
    await test.advance(0.2);
    expect(await plan(person)).toMatchObject({ status: 'active' });
    await useCard(person, goodCard());
    await enqueueTask(
      test.db,
      'sync_subscription',
      [await subscriptionOf(person)],
      test.deps.clock.now(),
    );
    await test.settle();
    expect(await plan(person)).toMatchObject({ status: 'active', owed: null });
    expect((await test.states(person.user_id)).map((one) => one.status)).toContain('past_due');
  });
});

describe('The upgrade that brings these emails', () => {
  const undo = `drop table dunning;
    alter table subscriptions drop column confirm_url, drop column ended_unpaid;
    drop index subscriptions_past_due;
    alter table customers drop column settings_version`;

  it("doesn't repeat the email about an earlier failure", async () => {
    await test.faults({ stripe: { retry_days: [30] } });
    const person = await owing();
    await test.db.transaction().execute(async (trx) => {
      await trx
        .updateTable('mails')
        .set({ key: sql`'payment-failed:' || key` })
        .where('key', 'like', 'dunning:%')
        .execute();
      await sql.raw(undo).execute(trx);
      await createDunning(trx as never);
    });
    await test.settle();
    expect(await subjects(person)).toEqual(["Your payment didn't go through"]);
    await test.advance(74);
    expect(await subjects(person)).toEqual([
      "Your payment didn't go through",
      'Your payment is still due',
    ]);
  });

  it('continues each earlier failure at its stage', async () => {
    await test.faults({ stripe: { retry_days: [30] } });
    const { user_id } = await owing();
    const now = new Date();
    const cases = [
      [12, 168, true],
      [80, 168, true],
      [130, 168, true],
      [150, 168, true],
      [48, 60, true],
      [48, null, true],
      [170, null, false],
    ] as const;
    for (const [hours, end, entitled] of cases) {
      const since = new Date(now.getTime() - hours * hourMs);
      const texts_until = end === null ? null : new Date(since.getTime() + end * hourMs);
      const change = { past_due_since: since, entitled, entitled_until: texts_until };
      const trx = await test.db.startTransaction().execute();
      await trx.updateTable('subscriptions').set(change).where('user_id', '=', user_id).execute();
      await sql.raw(undo).execute(trx);
      await createDunning(trx as never);
      const stored = await findDunning(trx, user_id);
      await trx.rollback().execute();
      expect(stored).toMatchObject({ since, ...stageOf({ since, entitled, texts_until }, now) });
    }
  });
});

describe('A payment that the bank wants confirmed', () => {
  it("gets its own email with a link to the provider's page, where confirming pays it", async () => {
    await test.faults({ stripe: { retry_days: [30] } });
    const person = await owing(confirmedCard());
    const { owed, card } = await plan(person);
    expect(owed).toMatchObject({
      card_declined: false,
      confirm_url: expect.stringMatching(/\/i\/in_/),
    });
    expect(card).not.toBeNull();
    const url = owed?.confirm_url ?? '';
    const [mail, ...more] = await reminders(person);
    expect(more).toEqual([]);
    expect(mail?.subject).toBe('Please confirm your payment');
    expect(linksIn(mail?.text ?? '')).toEqual([url]);
    expect(await (await fetch(url)).text()).toContain('Confirm payment');
    await fetch(url, { method: 'POST', redirect: 'manual', body: new URLSearchParams() });
    await test.settle();
    expect(await plan(person)).toMatchObject({ status: 'active', owed: null });
    expect(await (await fetch(url)).text()).not.toContain('Confirm payment');
  });

  it('is still asked for after a failed attempt to confirm', async () => {
    await test.faults({ stripe: { retry_days: [30] } });
    const person = await owing(confirmedCard());
    const url = (await plan(person)).owed?.confirm_url ?? '';
    const body = new URLSearchParams({ action: 'fail' });
    await fetch(url, { method: 'POST', redirect: 'manual', body });
    await test.advance(3 * 24);
    expect((await plan(person)).owed).toMatchObject({ card_declined: false, confirm_url: url });
    expect(new Set(await subjects(person))).toEqual(new Set(['Please confirm your payment']));
  });

  it('is asked for when a new card needs it', async () => {
    await test.faults({ stripe: { retry_days: [30] } });
    const person = await owing();
    await useCard(person, confirmedCard());
    expect(await subjects(person)).toEqual([
      "Your payment didn't go through",
      'Please confirm your payment',
    ]);
  });
});

it('a trial that ends early announces no charge if the card is declined', async () => {
  const first = await test.subscribe();
  await test.prove(first);
  const card = failingCard();
  const other = await test.subscribe({}, card);
  await test.prove(other);
  const another = await test.subscribe({}, card);
  await test.prove(another);
  await test.settle();
  const mails = await test.mails(another.email);
  for (const { text } of mails) expect(text).not.toMatch(/is charged|starts now/);
  expect(mails.map((one) => one.subject).sort()).toEqual([
    'Your free trial has ended',
    "Your payment didn't go through",
  ]);
});
