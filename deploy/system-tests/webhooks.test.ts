import { createHmac, randomBytes } from 'node:crypto';
import { eventually } from '@daylift/testing/eventually';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { ProductClient } from './product-client.ts';
import { isServiceText } from './simulation/judge.ts';
import { startTestStack, type TestStack } from './stack-for-test.ts';

let running: TestStack;
let product: ProductClient;
let admin: string;
let people = 0;

beforeAll(async () => {
  running = await startTestStack({ CLOCK_START: '2027-05-03T15:00:00Z' });
  product = running.product;
  admin = await product.adminLogin(running.stack.adminCredentials);
}, 180_000);

afterAll(() => running?.stop());
afterEach(() =>
  product.faults({
    webhook: { duplicate: 0, reorder: 0, delay_ms: 0, drop: 0 },
    telnyx: { webhook_before_answer: false },
  }),
);

async function signUp(): Promise<{ id: string; email: string; phone: string; token: string }> {
  people += 1;
  const email = `hook-${people}@example.com`;
  const phone = `+1415555${3000 + people}`;
  const id = await product.signUp({
    name: `Hook ${people}`,
    email,
    phone,
    password: 'good morning',
    timezone: 'America/New_York',
    delivery_time: '09:00',
    sms_consent: true,
  });
  return { id, email, phone, token: await product.login(email, 'good morning') };
}

const subscription = async (token: string) =>
  (await product.api('GET', '/users/me/subscription', undefined, token)).body as { status: string };

const revenue = async () =>
  (
    await product.api<{ revenue: { total: number; transactions: number } }>(
      'GET',
      '/admin/analytics',
      undefined,
      admin,
    )
  ).body.revenue;

describe.each([
  ['before the answer to the call that caused them', { telnyx: { webhook_before_answer: true } }],
  ['doubled, shuffled and late', { webhook: { duplicate: 1, reorder: 0.5, delay_ms: 1_500 } }],
])('Webhooks that arrive %s', (_name, fault) => {
  test('lead to the right subscription, one welcome, one text, and the money to the cent', async () => {
    await product.faults(fault);
    const before = await revenue();
    const person = await signUp();
    await product.pay(await product.openCheckout(person.id));
    await product.settle();
    expect((await subscription(person.token)).status).toBe('trial');
    await product.advance(24 * 3 + 3, 12);
    expect((await subscription(person.token)).status).toBe('active');
    const texts = await product.texts(person.phone);
    expect(texts.filter(isServiceText)).toHaveLength(1);
    expect(texts.filter((text) => !isServiceText(text))).toHaveLength(3);
    expect(texts.every((text) => text.status === 'delivered')).toBe(true);
    const history = await product.api<{ status: string }[]>(
      'GET',
      '/users/me/sms-history',
      undefined,
      person.token,
    );
    expect(history.body.map((text) => text.status)).toEqual([
      'delivered',
      'delivered',
      'delivered',
    ]);
    const after = await revenue();
    expect(after.transactions - before.transactions).toBe(1);
    expect(Math.round((after.total - before.total) * 100)).toBe(499);
  });
});

test('webhooks that never arrive are replaced by the success page and by polling', async () => {
  await product.faults({ webhook: { drop: 1 } });
  const person = await signUp();
  const session = await product.openCheckout(person.id);
  await product.pay(session);
  expect((await product.api('GET', `/payments/status/${session}`)).body).toEqual({
    payment_status: 'paid',
    trial: true,
  });
  await eventually(async () => (await subscription(person.token)).status === 'trial');
  await product.advance(24 * 3 + 3, 12);
  expect((await subscription(person.token)).status).toBe('active');
});

describe('A forged or stale webhook is rejected and changes nothing', () => {
  const event = () =>
    JSON.stringify({
      id: `evt_${randomBytes(8).toString('hex')}`,
      object: 'event',
      type: 'customer.subscription.deleted',
      api_version: '2026-10-28.endive',
      created: 1_800_000_000,
      data: { object: { id: 'sub_1', object: 'subscription' } },
    });
  const post = (path: string, body: string, headers: Record<string, string>) =>
    fetch(`${product.urls.gateway}/api${path}`, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json', ...headers },
    });
  let subscriber: Awaited<ReturnType<typeof signUp>>;
  beforeAll(async () => {
    subscriber = await signUp();
    await product.pay(await product.openCheckout(subscriber.id));
    await product.settle();
  });
  const wall = () => Math.floor(Date.now() / 1000);
  const sign = (body: string, at: number, secret: string) =>
    createHmac('sha256', secret).update(`${at}.${body}`).digest('hex');

  test.each([
    ['without a signature', () => ({})],
    ['with garbage for one', () => ({ 'stripe-signature': 'garbage' })],
    [
      'signed with another secret',
      (body: string) => ({
        'stripe-signature': `t=${wall()},v1=${sign(body, wall(), 'whsec_other')}`,
      }),
    ],
    [
      'signed for another body',
      () => ({ 'stripe-signature': `t=${wall()},v1=${sign('{}', wall(), 'whsec_other')}` }),
    ],
  ])('Stripe, %s', async (_name, headers) => {
    const body = event();
    const response = await post('/webhooks/stripe', body, headers(body) as Record<string, string>);
    expect(response.status).toBe(400);
  });

  test.each([
    ['without a signature', {}],
    [
      'with garbage for one',
      {
        'telnyx-timestamp': String(Math.floor(Date.now() / 1000)),
        'telnyx-signature-ed25519': 'AAAA',
      },
    ],
    [
      'with a signature of another key',
      {
        'telnyx-timestamp': String(Math.floor(Date.now() / 1000)),
        'telnyx-signature-ed25519': randomBytes(64).toString('base64'),
      },
    ],
  ])('Telnyx, %s', async (_name, headers) => {
    const stop = JSON.stringify({
      data: {
        event_type: 'message.received',
        id: 'forged',
        record_type: 'event',
        payload: {
          direction: 'inbound',
          from: { phone_number: subscriber.phone },
          to: [],
          text: 'STOP',
        },
      },
    });
    const response = await post(
      '/webhooks/telnyx/inbound',
      stop,
      headers as Record<string, string>,
    );
    expect(response.status).toBeGreaterThanOrEqual(400);
    expect(response.status).toBeLessThan(500);
    const me = await product.api<{ opted_out: boolean }>(
      'GET',
      '/users/me',
      undefined,
      subscriber.token,
    );
    expect(me.body.opted_out).toBe(false);
  });
});
