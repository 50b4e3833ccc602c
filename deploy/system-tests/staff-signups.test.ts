import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ProductClient } from './product-client.ts';
import { isServiceText } from './simulation/judge.ts';
import { startTestStack, type TestStack } from './stack-for-test.ts';

let running: TestStack;
let product: ProductClient;
let owner: string;
let people = 0;

beforeAll(async () => {
  // 11:20 in New York on a Monday; slow enough to stop people during a send.
  running = await startTestStack({ CLOCK_START: '2027-04-05T15:20:00Z', SMS_RATE_PER_SECOND: '5' });
  product = running.product;
  owner = await product.adminLogin(running.stack.adminCredentials);
}, 180_000);
afterAll(() => running?.stop());

const call = <T = Record<string, unknown>>(method: string, path: string, body?: unknown) =>
  product.api<T>(method, path, body, owner);

async function create(changes: Record<string, unknown> = {}) {
  people += 1;
  const form = {
    name: `Staff Made ${people}`,
    email: `made-${people}@example.com`,
    phone: `+1415555${6000 + people}`,
    timezone: 'America/New_York',
    delivery_time: '09:00',
    ...changes,
  };
  const { status, body } = await call<{ id: string }>('POST', '/admin/users/create', form);
  expect(status).toBe(201);
  return { ...form, id: body.id };
}
const textsTo = async (phone: string) => (await product.texts(phone)).map(({ text }) => text);
const dailyTo = async (phone: string) =>
  (await product.texts(phone)).filter((text) => !isServiceText(text)).length;
const statusOf = async (email: string) =>
  (await call<{ subscription_status: string }[]>('GET', `/admin/users?search=${email}`)).body[0]
    ?.subscription_status;

test('a subscriber added by staff is asked by text, gets nothing else before a YES, and then daily texts until the trial ends', async () => {
  const pending = await create();
  const agreed = await create({ sms_consent: true });
  await product.settle();
  expect(await textsTo(pending.phone)).toEqual([expect.stringContaining('Reply YES')]);
  expect(await textsTo(agreed.phone)).toEqual([expect.stringContaining('Welcome')]);
  await product.advanceTo(new Date('2027-04-06T14:00:00Z'), 12);
  expect(await textsTo(pending.phone)).toHaveLength(1);
  expect(await dailyTo(agreed.phone)).toBe(1);
  await product.reply(pending.phone, 'Yes');
  await product.settle();
  expect((await textsTo(pending.phone)).at(-1)).toContain('Welcome');
  expect(await dailyTo(pending.phone)).toBe(0);
  await product.advanceTo(new Date('2027-04-07T14:00:00Z'), 12);
  expect(await dailyTo(pending.phone)).toBe(1);
  expect(await statusOf(pending.email)).toBe('trial');
  await product.advanceTo(new Date('2027-04-09T14:00:00Z'), 12);
  expect(await statusOf(pending.email)).toBe('expired');
  expect(await dailyTo(pending.phone)).toBe(2);
  expect(await dailyTo(agreed.phone)).toBe(3);
}, 120_000);

test('a subscriber deleted or paused during a send gets no text a second later', async () => {
  // A few at a time, because each hashes a password, and the gateway times out after ten seconds.
  const subscribers: Awaited<ReturnType<typeof create>>[] = [];
  while (subscribers.length < 60)
    subscribers.push(
      ...(await Promise.all(Array.from({ length: 6 }, () => create({ sms_consent: true })))),
    );
  await product.settle();
  const message = { title: 'Today', content: 'A word for today', category: 'daily_motivation' };
  const { body } = await call<{ id: string }>('POST', '/admin/scheduled-messages', {
    ...message,
    scheduled_date: '2027-04-09T20:00:00',
    scheduled_time: '20:00',
  });
  await product.settle();
  const sending = call('POST', `/admin/scheduled-messages/${body.id}/send-now`);
  const reached = async () => {
    const texts = await product.texts();
    return new Set(texts.filter(({ text }) => text === message.content).map(({ to }) => to));
  };
  await expect.poll(async () => (await reached()).size, { timeout: 20_000 }).toBeGreaterThan(4);
  const early = await reached();
  const stopped = subscribers.filter(({ phone }) => !early.has(phone)).slice(-30);
  const responses = await Promise.all(
    stopped.map(({ id }, at) =>
      at % 2 === 0
        ? call('DELETE', `/admin/users/${id}`)
        : call('POST', `/admin/users/${id}/toggle-status`, { is_active: false }),
    ),
  );
  for (const response of responses)
    expect(response.body).toMatchObject({ telnyx_sync: 'not_required' });
  const countStopped = async () => {
    const phones = await reached();
    return stopped.filter(({ phone }) => phones.has(phone)).length;
  };
  const before = await countStopped();
  await sending;
  await product.settle();
  const left = stopped.length - (await countStopped());
  // Only texts in flight within that second may still arrive.
  expect(await countStopped()).toBeLessThanOrEqual(before + 6);
  expect(left).toBeGreaterThan(5);
  const phones = await reached();
  const others = subscribers.filter((one) => !stopped.includes(one));
  expect(others.filter(({ phone }) => !phones.has(phone))).toEqual([]);
}, 120_000);
