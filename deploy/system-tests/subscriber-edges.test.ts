import { eventually } from '@daylift/testing/eventually';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AcceptedText, ApiResponse, ProductClient, Signup } from './product-client.ts';
import { isServiceText } from './simulation/judge.ts';
import { startTestStack, type TestStack } from './stack-for-test.ts';
import { chargesOf, claimsOf, signedToken } from './stack-secrets.ts';

let running: TestStack;
let product: ProductClient;
let people = 0;

const password = 'good morning';
const [monthly, yearly] = [499, 4999];

/** 11:20 in New York on a Monday. */
const start = '2027-04-05T15:20:00Z';

beforeAll(async () => {
  running = await startTestStack({ CLOCK_START: start });
  product = running.product;
}, 180_000);

afterAll(() => running?.stop());

function aSignup(changes: Partial<Signup> = {}): Signup {
  people += 1;
  return {
    name: `Edge ${people}`,
    email: `edge-${people}@example.com`,
    phone: `+1415555${5000 + people}`,
    password,
    timezone: 'America/New_York',
    delivery_time: '09:00',
    sms_consent: true,
    ...changes,
  };
}

type Member = Signup & { id: string; token: string };

const tenTimes = <T>(action: (at: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: 10 }, (_none, at) => action(at)));
const call = <T = Record<string, unknown>>(
  method: string,
  path: string,
  token: string,
  body?: unknown,
) => product.api<T>(method, path, body, token);
const subscription = async (token: string) =>
  (
    await call<{ status: string; plan: string; cancel_at_period_end: boolean }>(
      'GET',
      '/users/me/subscription',
      token,
    )
  ).body;
const becomes = (token: string, expected: Partial<Awaited<ReturnType<typeof subscription>>>) =>
  eventually(
    async () => {
      expect(await subscription(token)).toMatchObject(expected);
      return true;
    },
    { within: 60_000 },
  );
const charged = async (email: string) =>
  (await chargesOf(running.stack, email))
    .filter((one) => one.status === 'succeeded')
    .map((one) => one.amount);
const statuses = (responses: ApiResponse[]) => responses.map((one) => one.status);

/** Creates a signed-in subscriber on trial. */
async function aMember(changes: Partial<Signup> = {}): Promise<Member> {
  const signup = aSignup(changes);
  const id = await product.signUp(signup);
  await product.pay(await product.openCheckout(id, signup.plan));
  const token = await product.login(signup.email, password);
  await becomes(token, { status: 'trial' });
  return { ...signup, id, token };
}

describe('Signing up and signing in', () => {
  test('an email in capitals, with spaces around it, is the same email', async () => {
    const signup = aSignup();
    await product.signUp({ ...signup, email: signup.email.toUpperCase() });
    await product.confirmEmail(signup.email);
    const token = await product.login(` ${signup.email.replace('edge', 'EdGe')} `, password);
    expect((await call('GET', '/users/me', token)).body).toMatchObject({ email: signup.email });
    const second = await product.api('POST', '/subscriptions', {
      ...aSignup(),
      email: signup.email.toUpperCase(),
    });
    expect(second.status).toBe(409);
  });

  test('a number in five formats is one account, and signs in with each', async () => {
    const signup = aSignup({ phone: '+14155555901' });
    const id = await product.signUp(signup);
    for (const phone of [
      '+1 415 555 5901',
      '(415) 555-5901',
      '415.555.5901',
      '1-415-555-5901',
      '4155555901',
    ]) {
      expect(await product.signUp({ ...signup, phone }), phone).toBe(id);
      const token = await product.login(phone, password);
      expect((await call('GET', '/users/me', token)).body).toMatchObject({ phone: signup.phone });
    }
  });

  test('a form submitted ten times creates one working account', async () => {
    const signup = aSignup();
    const responses = await tenTimes(() => product.api('POST', '/subscriptions', signup));
    expect(statuses(responses)).toEqual(Array<number>(10).fill(201));
    expect(new Set(responses.map(({ body }) => body.id)).size).toBe(1);
    await product.login(signup.email, password);
  });

  test('an expired token is rejected with a message', async () => {
    const signup = aSignup();
    await product.signUp(signup);
    const claims = claimsOf(await product.login(signup.email, password));
    const past = Math.floor(Date.now() / 1000) - 60;
    const token = signedToken(running.stack, { ...claims, iat: past - 604_800, exp: past });
    expect(await call('GET', '/users/me', token)).toMatchObject({
      status: 401,
      body: { code: 'UNAUTHORIZED', detail: 'Please sign in.' },
    });
  });

  test('a deleted account is gone, and its owner can sign up again', async () => {
    const member = await aMember();
    await product.confirmEmail(member.email);
    await product.settle();
    const deleted = await call('POST', '/users/me/delete', member.token, { password });
    expect(deleted.status).toBeLessThan(300);
    await eventually(async () => (await call('GET', '/users/me', member.token)).status === 401);
    expect(
      (await product.api('POST', '/users/login', { login: member.email, password })).status,
    ).toBe(401);
    await product.settle();
    const { id: _id, token: _token, ...signup } = member;
    const id = await product.signUp(signup);
    expect(id).not.toBe(member.id);
    const token = await product.login(member.email, password);
    expect((await call('GET', '/users/me', token)).body).toMatchObject({ id, phone: member.phone });
    await product.pay(await product.openCheckout(id));
    await eventually(async () => ['trial', 'active'].includes((await subscription(token)).status), {
      within: 60_000,
    });
    // There is no second trial: they pay from the first day.
    await expect.poll(() => charged(member.email)).toEqual([monthly]);
  });
});

describe('The checkout', () => {
  const open = (id: string, plan = 'monthly') =>
    product.api<{ session_id: string; url: string }>('POST', '/payments/create-checkout', {
      subscription_id: id,
      plan,
      origin_url: product.urls.gateway,
    });

  test('continues after a reload and in a second tab, and starts one trial', async () => {
    const signup = aSignup();
    const id = await product.signUp(signup);
    const first = await product.openCheckout(id);
    const repeated = await tenTimes(() => open(id));
    expect(new Set(repeated.map((one) => one.body.session_id))).toEqual(new Set([first]));
    await product.pay(first);
    const token = await product.login(signup.email, password);
    await becomes(token, { status: 'trial' });
    expect((await open(id)).status).toBe(409);
    await product.advance(24 * 3 + 2, 12);
    await becomes(token, { status: 'active' });
    expect(await charged(signup.email)).toEqual([monthly]);
  });

  test('for another plan closes the previous page', async () => {
    const signup = aSignup();
    const id = await product.signUp(signup);
    const first = await product.openCheckout(id);
    const second = await product.openCheckout(id, 'yearly');
    expect(second).not.toBe(first);
    const late = await product.sandbox('POST', `/sandbox/checkout/${first}/complete`, {});
    expect(late.status).toBe(409);
    await product.pay(second);
    const token = await product.login(signup.email, password);
    await becomes(token, { status: 'trial', plan: 'yearly' });
  });

  test('that has expired can be followed by a working one', async () => {
    const signup = aSignup();
    const id = await product.signUp(signup);
    await product.confirmEmail(signup.email);
    const first = await product.openCheckout(id);
    await product.advance(25, 12);
    expect((await product.api('GET', `/payments/status/${first}`)).body).toEqual({
      payment_status: 'expired',
    });
    const token = await product.login(signup.email, password);
    const next = await call<{ session_id: string }>('POST', '/payments/create-checkout', token, {
      subscription_id: id,
      plan: 'monthly',
      origin_url: product.urls.gateway,
    });
    expect(next.status).toBe(200);
    expect(next.body.session_id).not.toBe(first);
    await product.pay(next.body.session_id);
    await becomes(token, { status: 'trial' });
  });
});

describe('A button clicked ten times at once', () => {
  test('upgrades once and charges once', async () => {
    const { token, email } = await aMember();
    const responses = await tenTimes(() =>
      call('POST', '/users/me/plan/upgrade', token, { plan: 'monthly' }),
    );
    expect(statuses(responses)).toContain(200);
    for (const status of statuses(responses)) expect([200, 409]).toContain(status);
    await becomes(token, { status: 'active', plan: 'monthly' });
    await product.settle();
    expect(await charged(email)).toEqual([monthly]);
  });

  test('switches once and charges the year once, less the rest of the month', async () => {
    const { token, email } = await aMember();
    expect((await call('POST', '/users/me/plan/upgrade', token, { plan: 'monthly' })).status).toBe(
      200,
    );
    await becomes(token, { status: 'active' });
    const preview = await call<{ charge_now_cents: number }>(
      'GET',
      '/users/me/plan/preview?action=switch&plan=yearly',
      token,
    );
    const { charge_now_cents } = preview.body;
    expect(charge_now_cents).toBeGreaterThan(yearly - monthly - 1);
    const responses = await tenTimes(() =>
      call('POST', '/users/me/plan/switch', token, { plan: 'yearly' }),
    );
    expect(statuses(responses)).toContain(200);
    for (const status of statuses(responses)) expect([200, 409]).toContain(status);
    await becomes(token, { plan: 'yearly' });
    await product.settle();
    expect((await charged(email)).toSorted((a, b) => a - b)).toEqual([monthly, charge_now_cents]);
  });

  test('cancels and undoes it, without losing or charging anything', async () => {
    const { token, email } = await aMember();
    for (const [action, cancelled] of [
      ['cancel', true],
      ['undo-cancel', false],
      ['cancel', true],
    ] as const) {
      const responses = await tenTimes(() => call('POST', `/users/me/plan/${action}`, token));
      expect(statuses(responses)).toContain(200);
      for (const status of statuses(responses)) expect([200, 409]).toContain(status);
      await becomes(token, { cancel_at_period_end: cancelled });
    }
    await product.advance(24 * 3 + 3, 12);
    await becomes(token, { status: 'canceled' });
    expect(await charged(email)).toEqual([]);
  });

  test('together with the opposite one ends in one of the two states', async () => {
    const { token, email } = await aMember();
    const responses = await tenTimes((at) =>
      call('POST', `/users/me/plan/${at % 2 === 0 ? 'cancel' : 'undo-cancel'}`, token),
    );
    for (const status of statuses(responses)) expect([200, 409]).toContain(status);
    await product.settle();
    expect((await subscription(token)).status).toBe('trial');
    expect(await charged(email)).toEqual([]);
  });
});

describe('A change right before a text', () => {
  const daily = (texts: AcceptedText[]) => texts.filter((text) => !isServiceText(text));
  const change = (token: string, settings: object) => call('PUT', '/users/me', token, settings);
  const soonAt = async (hour: number, minute: number) => {
    const now = await product.now();
    const at = new Date(now);
    at.setUTCHours(hour, minute, 0, 0);
    if (at <= now) at.setUTCDate(at.getUTCDate() + 1);
    return product.advanceTo(at, 12);
  };
  const lastDay = (texts: AcceptedText[], day: Date) =>
    daily(texts).filter((text) => text.accepted_at.startsWith(day.toISOString().slice(0, 10)));

  test('of hour, zone or number: the daily text is sent once, as last chosen', async () => {
    const [hour, zone, number, off] = [
      await aMember(),
      await aMember(),
      await aMember(),
      await aMember(),
    ];
    // 09:00 in New York is 13:00 UTC in summer; the text is planned half a minute earlier.
    await soonAt(12, 59);
    expect((await change(hour.token, { delivery_time: '11:00' })).status).toBe(200);
    expect((await change(zone.token, { timezone: 'America/Los_Angeles' })).status).toBe(200);
    const newNumber = '+14155555977';
    expect(
      (await change(number.token, { phone: newNumber, current_password: password })).status,
    ).toBe(200);
    expect((await call('POST', '/users/me/toggle-delivery?enable=false', off.token)).status).toBe(
      200,
    );
    await product.settle();
    await soonAt(17, 30);
    const today = await product.now();
    const hourOf = (text: AcceptedText) => new Date(text.accepted_at).getUTCHours();
    const of = async (phone: string) => lastDay(await product.texts(phone), today).map(hourOf);
    expect(await of(hour.phone)).toEqual([15]);
    expect(await of(zone.phone)).toEqual([16]);
    // The new number needs consent first; until then the old one is used.
    expect(await of(number.phone)).toEqual([13]);
    expect(await of(newNumber)).toEqual([]);
    expect(await of(off.phone)).toEqual([]);
    expect((await product.texts(newNumber)).some((text) => /Reply YES/.test(text.text))).toBe(true);
    await product.reply(newNumber, 'YES');
    await product.settle();
    await soonAt(17, 30);
    const tomorrow = await product.now();
    expect(lastDay(await product.texts(newNumber), tomorrow).map(hourOf)).toEqual([13]);
  });
});
