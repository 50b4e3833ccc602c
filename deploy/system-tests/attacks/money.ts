import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PlanView, ReferralFigures } from '@daylift/contracts/billing.http';
import { eventually } from '@daylift/testing/eventually';
import { describe, expect, test } from 'vitest';
import { openDatabase, queryDatabase } from '../query-database.ts';
import {
  aPerson,
  aSubscriber,
  get,
  mailsTo,
  type Person,
  password,
  post,
  target,
} from './target.ts';

const logIn = ({ email }: Person) => target().product.login(email, password);
const me = async (token: string) => (await get('/users/me', token)).body;
const planOf = async (token: string) => (await get<PlanView>('/users/me/plan', token)).body;
const subjectsTo = async ({ email }: Person) => (await mailsTo(email)).map((mail) => mail.subject);

/** Replies YES from the number and waits until it counts as proven. */
async function provePhone(person: Person, token: string): Promise<void> {
  await target().product.reply(person.phone, 'YES');
  await eventually(
    async () => {
      const { phone, phone_proven } = await me(token);
      return phone === person.phone && phone_proven;
    },
    { within: 30_000, what: 'the proof of a number' },
  );
}

async function aProvenSubscriber(changes: Partial<Person> = {}) {
  const person = await aSubscriber(changes);
  const token = await logIn(person);
  await provePhone(person, token);
  return { person, token };
}

async function changePhone(person: Person, token: string, phone: string): Promise<Person> {
  const { product } = target();
  const wanted = { phone, current_password: password };
  expect((await product.api('PUT', '/users/me', wanted, token)).status).toBe(200);
  await eventually(async () => (await product.texts(phone)).at(-1)?.text.includes('Reply YES'), {
    within: 30_000,
    what: 'the question to the new number',
  });
  const moved = { ...person, phone };
  await provePhone(moved, token);
  return moved;
}

async function checkOut({ id }: Person) {
  const wanted = {
    subscription_id: id,
    plan: 'monthly',
    origin_url: target().product.urls.gateway,
  };
  const opened = await post<{ session_id: string; trial_days: number }>(
    '/payments/create-checkout',
    wanted,
  );
  expect(opened.status).toBe(200);
  return opened.body;
}
const trialDays = async (person: Person) => (await checkOut(person)).trial_days;

test('a cancellation after STOP persists, is confirmed by email, and no START undoes it', async () => {
  const { product } = target();
  const person = await aSubscriber();
  const token = await logIn(person);
  await product.reply(person.phone, 'STOP');
  await eventually(async () => (await planOf(token)).cancel_at_period_end, {
    within: 30_000,
    what: 'the end of the renewal',
  });
  expect((await post('/users/me/plan/cancel', undefined, token)).status).toBe(200);
  await product.reply(person.phone, 'START');
  await eventually(async () => (await me(token)).opted_out === false, { within: 30_000 });
  await product.settle();
  expect(await planOf(token)).toMatchObject({ cancel_at_period_end: true, next_charge: null });
  const subjects = await subjectsTo(person);
  expect(subjects).toContain('Your subscription is canceled');
  expect(subjects).not.toContain('Your subscription continues');
});

test("mail to an unproven email contains no name, and uses the product's name as sender", async () => {
  const person = await aSubscriber({ name: 'Thomasina' });
  const token = await logIn(person);
  for (const [action, body] of [['upgrade', { plan: 'monthly' }], ['cancel']] as const)
    expect((await post(`/users/me/plan/${action}`, body, token)).status).toBe(200);
  await target().product.settle();
  const mails = await mailsTo(person.email);
  expect(mails.length).toBeGreaterThan(2);
  for (const { from_name, subject, text } of mails) {
    expect(from_name).toBe('Daylift');
    // The price is public; what this account was charged isn't.
    const isPublic = 'Then: $4.99 a month';
    expect((subject + text).replace(isPublic, '')).not.toMatch(/Thomasina|\$\d/);
  }
});

describe('a second free trial', () => {
  test('is rejected for a number that has had one, even after its account changed numbers or was deleted', async () => {
    const { product } = target();
    const { person, token } = await aProvenSubscriber();
    const moved = await changePhone(person, token, '+14155557701');
    expect(await trialDays(await aPerson({ phone: person.phone }))).toBe(0);
    expect((await post('/users/me/delete', { password }, token)).status).toBe(200);
    await product.settle();
    for (const phone of [person.phone, moved.phone])
      expect([phone, await trialDays(await aPerson({ phone }))]).toEqual([phone, 0]);
    expect(await trialDays(await aPerson())).toBe(3);
  });

  test('ends with a charge once it turns out that the number has had one', async () => {
    const { product } = target();
    const { person, token } = await aProvenSubscriber();
    await changePhone(person, token, '+14155557702');
    const second = await aSubscriber();
    const secondToken = await logIn(second);
    expect(await planOf(secondToken)).toMatchObject({ status: 'trial' });
    // A number gets at most one text a minute.
    await product.advance(0.02);
    await changePhone(second, secondToken, person.phone);
    await product.settle();
    expect(await planOf(secondToken)).toMatchObject({ status: 'active' });
  });
});

test('a referral pays for a friend, and not for the referrer under a previous number', async () => {
  const { product } = target();
  const { person, token } = await aProvenSubscriber();
  await changePhone(person, token, '+14155557703');
  const link = await post<{ referral_code: string }>(
    '/users/me/generate-referral',
    undefined,
    token,
  );
  const ref = link.body.referral_code;
  const figures = async () => (await get<ReferralFigures>('/users/me/referrals', token)).body;
  const join = async (friend: Person) => {
    await product.pay((await checkOut(friend)).session_id);
    await product.settle();
    const friendToken = await logIn(friend);
    if ((await planOf(friendToken)).status === 'trial')
      expect((await post('/users/me/plan/upgrade', { plan: 'monthly' }, friendToken)).status).toBe(
        200,
      );
    await product.settle();
    expect(await planOf(friendToken)).toMatchObject({ status: 'active' });
  };
  await join(await aPerson({ phone: person.phone, ref }));
  expect(await figures()).toMatchObject({ successful: 0, earned_cents: 0 });
  await join(await aPerson({ ref }));
  expect(await figures()).toMatchObject({ successful: 1, earned_cents: 125 });
});

describe('Concurrent changes', () => {
  const count = async (statement: string) =>
    (await queryDatabase<{ count: number }>(target().stack, statement))[0]?.count ?? 0;
  const deadlocks = () => count('select sum(deadlocks)::integer as count from pg_stat_database');
  const waiting = () =>
    count(`select count(*)::integer as count from pg_stat_activity where wait_event_type = 'Lock'`);
  const logsWith = (pattern: RegExp) => {
    const { logs } = target().stack.layout;
    return readdirSync(logs).filter((name) => pattern.test(readFileSync(join(logs, name), 'utf8')));
  };
  const endOf = async (token: string) => {
    expect((await post('/users/me/plan/cancel', undefined, token)).status).toBe(200);
    return new Date((await planOf(token)).current_period_end ?? '').getTime();
  };

  test("of a subscription's end and its event don't deadlock", async () => {
    const { product, stack } = target();
    const person = await aSubscriber();
    const end = await endOf(await logIn(person));
    await product.advanceTo(new Date(end - 30_000), 12);
    const before = await deadlocks();
    const holder = await openDatabase(stack);
    let arrival: Promise<unknown> = Promise.resolve();
    try {
      await holder.query('begin');
      const lock = 'select from billing.subscriptions where user_id = $1 for update';
      await holder.query(lock, [person.id]);
      arrival = product.advanceTo(new Date(end + 30_000));
      const both = { within: 25_000, what: 'our own end and the news of it' };
      await eventually(async () => (await waiting()) >= 2, both);
    } finally {
      await holder.end();
    }
    await arrival;
    expect(await deadlocks()).toBe(before);
    expect(logsWith(/40P01|deadlock detected/)).toEqual([]);
  });

  test('by texts, pages and the provider at the end of a trial never fail', async () => {
    const { product } = target();
    const people = await Promise.all(
      Array.from({ length: 4 }, async () => {
        const person = await aPerson();
        const { session_id } = await checkOut(person);
        await product.pay(session_id);
        return { person, session_id, token: await logIn(person) };
      }),
    );
    await product.settle();
    const ends = await Promise.all(people.map(({ token }) => endOf(token)));
    await product.advanceTo(new Date(Math.min(...ends) - 30_000), 12);
    const failures: unknown[] = [];
    const compete = async ({ person, session_id, token }: (typeof people)[number]) => {
      for (const action of ['undo-cancel', 'cancel', 'undo-cancel', 'cancel']) {
        await product.reply(person.phone, action === 'cancel' ? 'START' : 'STOP');
        const responses = await Promise.all([
          get(`/payments/status/${session_id}`),
          post(`/users/me/plan/${action}`, undefined, token),
        ]);
        failures.push(...responses.filter(({ status }) => status >= 500));
      }
    };
    const over = product.advanceTo(new Date(Math.max(...ends) + 30_000));
    await Promise.all([over, ...people.map(compete)]);
    await product.settle();
    expect(failures).toEqual([]);
    expect(logsWith(/40P01|deadlock detected/)).toEqual([]);
  });
});
