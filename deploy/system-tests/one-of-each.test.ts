import { eventually } from '@daylift/testing/eventually';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ProductClient, Signup } from './product-client.ts';
import { isServiceText } from './simulation/judge.ts';
import { startTestStack, type TestStack } from './stack-for-test.ts';

let running: TestStack;
let product: ProductClient;
let admin: string;

const person = (index: number): Signup => ({
  name: `Twin ${index}`,
  email: `twin-${index}@example.com`,
  phone: `+1415555${2000 + index}`,
  password: 'good morning',
  timezone: 'America/New_York',
  delivery_time: '09:00',
  sms_consent: true,
});

const tenTimes = <T>(action: () => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: 10 }, action));

async function join(index: number, card?: string): Promise<string> {
  const id = await product.signUp(person(index));
  await product.pay(await product.openCheckout(id), card);
  await eventually(async () => (await product.texts(person(index).phone)).length === 1, {
    what: 'the welcome',
  });
  return id;
}

const dailyTexts = async (phone: string) =>
  (await product.texts(phone)).filter((text) => !isServiceText(text));

beforeAll(async () => {
  running = await startTestStack({ CLOCK_START: '2027-03-08T15:00:00Z' });
  product = running.product;
  admin = await product.adminLogin(running.stack.adminCredentials);
}, 180_000);

afterAll(() => running?.stop());

test('ten parallel signups with one email address and number create one account', async () => {
  const responses = await tenTimes(() => product.api('POST', '/subscriptions', person(1)));
  expect(responses.map(({ status }) => status)).toEqual(Array(10).fill(201));
  expect(new Set(responses.map(({ body }) => body.id)).size).toBe(1);
});

test('a number in five formats and an address in capitals are one account', async () => {
  const signup = { ...person(2), phone: '+14155552002' };
  const id = await product.signUp(signup);
  for (const phone of ['+1 415 555 2002', '(415) 555-2002', '415.555.2002', '1-415-555-2002'])
    expect(await product.signUp({ ...signup, phone }), phone).toBe(id);
  await product.confirmEmail(signup.email);
  const capitals = await product.api('POST', '/subscriptions', {
    ...person(3),
    email: 'TWIN-2@Example.COM',
  });
  expect(capitals).toMatchObject({
    status: 409,
    body: { detail: 'An account with this email or phone already exists. Please sign in.' },
  });
});

test('ten parallel checkouts of one signup open one session', async () => {
  const id = await product.signUp(person(4));
  const sessions = await tenTimes(() => product.openCheckout(id));
  expect(new Set(sessions).size).toBe(1);
  expect((await product.api('GET', `/payments/status/${sessions[0]}`)).body).toEqual({
    payment_status: 'pending',
    open: true,
  });
});

test('ten parallel reads of a paid session and its webhooks create one subscription and one welcome', async () => {
  const id = await product.signUp(person(5));
  const session = await product.openCheckout(id);
  const paying = product.pay(session);
  await tenTimes(() => product.api('GET', `/payments/status/${session}`));
  await paying;
  const after = await tenTimes(() => product.api('GET', `/payments/status/${session}`));
  for (const response of after) expect(response.body).toMatchObject({ payment_status: 'paid' });
  await product.settle();
  expect(await product.texts(person(5).phone)).toHaveLength(1);
  const token = await product.login(person(5).email, person(5).password);
  expect((await product.api('GET', '/users/me/subscription', undefined, token)).body).toMatchObject(
    { status: 'trial' },
  );
});

test('ten parallel manual sends of one message send it once per person and return the same batch', async () => {
  await join(6);
  await join(7);
  await product.settle();
  const created = await product.api<{ id: string }>(
    'POST',
    '/admin/scheduled-messages',
    {
      title: 'Now',
      content: 'Right now is a good time, {{first_name}}.',
      scheduled_date: '2027-03-08',
    },
    admin,
  );
  expect(created.status).toBeLessThan(300);
  await product.settle();
  const responses = await tenTimes(() =>
    product.api<{ batch_id: string }>(
      'POST',
      `/admin/scheduled-messages/${created.body.id}/send-now`,
      undefined,
      admin,
    ),
  );
  expect(responses.map((response) => response.status)).toEqual(Array(10).fill(200));
  expect(new Set(responses.map((response) => response.body.batch_id)).size).toBe(1);
  await product.settle();
  for (const index of [6, 7]) {
    const texts = await dailyTexts(person(index).phone);
    expect(texts.map((text) => text.text)).toEqual(['Right now is a good time, Twin.']);
  }
  const list = await product.api<{ id: string; is_sent: boolean }[]>(
    'GET',
    '/admin/scheduled-messages',
    undefined,
    admin,
  );
  expect(list.body.find((one) => one.id === created.body.id)).toMatchObject({ is_sent: true });
});

test('ten parallel runs of the scheduler send nothing twice', async () => {
  await product.advanceTo(new Date('2027-03-09T13:59:00Z'), 12);
  await tenTimes(() => product.api('POST', '/admin/scheduler/run', undefined, admin));
  await product.advanceTo(new Date('2027-03-09T14:30:00Z'));
  await tenTimes(() => product.api('POST', '/admin/scheduler/run', undefined, admin));
  await tenTimes(() => product.api('POST', '/admin/scheduler/process-queue', undefined, admin));
  await product.settle();
  for (const index of [5, 6, 7]) {
    const today = (await dailyTexts(person(index).phone)).filter((text) =>
      text.accepted_at.startsWith('2027-03-09'),
    );
    expect(today, `person ${index}`).toHaveLength(1);
  }
});

test("the sequence text is a new subscriber's one text of their first day, and the timeline says why", async () => {
  const call = <T>(method: string, path: string, body?: unknown) =>
    product.api<T>(method, path, body, admin);
  const sequence = await call<{ id: string; version: number }[]>('GET', '/admin/sequence-texts');
  const [dayOne] = sequence.body;
  const change = { version: dayOne?.version, content: 'Hello, {{first_name}}.', is_active: true };
  expect((await call('PUT', `/admin/sequence-texts/${dayOne?.id}`, change)).status).toBe(200);
  const id = await join(90);
  await product.advance(48, 12);
  const { phone } = person(90);
  const texts = (await dailyTexts(phone)).map(({ text }) => text);
  expect(texts.filter((text) => text === 'Hello, Twin.')).toHaveLength(1);
  expect(texts[0]).toBe('Hello, Twin.');
  expect(texts.length).toBeLessThanOrEqual(2);
  const { body } = await call<{ entries: { quote: string; steps: { what: string }[] }[] }>(
    'GET',
    `/admin/users/${id}/timeline?kinds=texts`,
  );
  const entry = body.entries.find(({ quote }) => quote === 'Hello, Twin.');
  expect(entry?.steps.map(({ what }) => what)).toContainEqual(
    expect.stringContaining('the text for day 1'),
  );
});
