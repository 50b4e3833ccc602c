import { randomUUID } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import type { Me, UserExport } from '@daylift/contracts/accounts.http';
import type { UserInvoice } from '@daylift/contracts/billing.http';
import type { InboxPage } from '@daylift/contracts/inbox.http';
import type { HistoryItem } from '@daylift/contracts/sms.http';
import { eventually } from '@daylift/testing/eventually';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadSecrets } from '../local/secrets.ts';
import type { ProductClient, Signup } from './product-client.ts';
import { startTestStack, type TestStack } from './stack-for-test.ts';
import { filesWith, tablesWith } from './traces.ts';

/** Words that occur nowhere else in the product. */
const canary = {
  name: 'Zebulon Quackenbush',
  email: 'zebulon.quackenbush@example.com',
  phone: '+14155557319',
  password: 'canary-Pa55-phrase',
  timezone: 'America/New_York',
  delivery_time: '09:00',
  sms_consent: true,
} satisfies Signup;
const newPhone = '+14155557382';
const secondPassword = 'second-canary-Pa55';
const friend = { ...canary, name: 'Fay Friend', email: 'fay@example.com', phone: '+14155550170' };
/** In full and in part: first name, half of the address, number without its plus. */
const traces = ['Zebulon', 'Quackenbush', canary.phone.slice(1), newPhone.slice(1)];
const secrets = [canary.password, secondPassword];

let running: TestStack;
let product: ProductClient;
let id: string;
let token: string;

beforeAll(async () => {
  running = await startTestStack({ CLOCK_START: '2027-04-05T15:20:00Z' });
  product = running.product;
}, 180_000);
afterAll(() => running?.stop());

const callAsUser = <T>(method: string, path: string, body?: unknown) =>
  product.api<T>(method, path, body, token);
const accepted = async () => [
  ...(await product.texts(canary.phone)),
  ...(await product.texts(newPhone)),
];

/** Excludes the sandbox, which replaces external services. */
async function logsWith(wanted: string[]): Promise<string[]> {
  const { logs } = running.stack.layout;
  expect(await readdir(logs)).toEqual(
    expect.arrayContaining(['accounts.log', 'gateway.log', 'postgres.log']),
  );
  return (await filesWith(logs, wanted)).filter((one) => !one.startsWith('sandbox'));
}

/** Searches everything that the product stores or logs. */
async function findTraces(wanted: string[]): Promise<string[]> {
  const { layout, databaseAdminUrl } = running.stack;
  return [
    ...(await tablesWith(databaseAdminUrl, wanted)),
    ...(await filesWith(layout.nats, wanted)),
    ...(await filesWith(layout.redis, wanted)),
    ...(await logsWith(wanted)),
  ];
}

async function answerAll(admin: string): Promise<void> {
  const { body } = await product.api<InboxPage>(
    'GET',
    '/admin/inbox?search=zebulon',
    undefined,
    admin,
  );
  expect(body.items.map((one) => one.kind).sort()).toEqual([
    'contact',
    'reply',
    'reply',
    'support',
  ]);
  for (const item of body.items) {
    for (const by of ['email', 'text']) {
      const answer = { by, text: `Dear Zebulon, by ${by}`, idempotency_key: randomUUID() };
      await product.api('POST', `/admin/inbox/${item.id}/answer`, answer, admin);
    }
  }
  await product.settle();
  const texts = await accepted();
  expect(texts.filter((one) => one.text === 'Dear Zebulon, by text')).toHaveLength(2);
}

test('a subscriber uses the product for two days: pays, gets texts, writes, refers, changes the number', async () => {
  // Still a stranger, in the inbox without a name.
  await product.reply(canary.phone, 'Who is this? Zebulon Quackenbush asks.');
  await product.settle();
  id = await product.signUp({ ...canary, sms_consent: false });
  await product.confirmEmail(canary.email);
  await product.pay(await product.openCheckout(id));
  await product.settle();
  await product.reply(canary.phone, 'YES');
  await product.settle();
  token = await product.login(canary.email, canary.password);
  const admin = await product.adminLogin(running.stack.adminCredentials);
  const message = {
    title: 'Tuesday',
    content: 'Good morning, {{first_name}}.',
    scheduled_date: '2027-04-06',
  };
  await product.api('POST', '/admin/scheduled-messages', message, admin);
  await product.advanceTo(new Date('2027-04-06T14:10:00Z'), 12);
  const texts = (await product.texts(canary.phone)).map((text) => text.text);
  expect(texts).toContain('Good morning, Zebulon.');

  expect((await callAsUser('POST', '/users/me/plan/upgrade', { plan: 'monthly' })).status).toBe(
    200,
  );
  const { body: link } = await callAsUser<{ referral_code: string }>(
    'POST',
    '/users/me/generate-referral',
  );
  const signup = { ...friend, ref: link.referral_code };
  expect((await product.api('POST', '/subscriptions', signup)).status).toBe(201);
  await product.reply(canary.phone, 'Thanks, this is Zebulon Quackenbush');
  const supportMessage = { subject: 'From Zebulon', message: `Call me: ${canary.phone}` };
  expect((await callAsUser('POST', '/support/contact', supportMessage)).status).toBe(202);
  const contact = { ...supportMessage, name: canary.name, email: canary.email };
  expect((await product.api('POST', '/contact', contact)).status).toBe(202);
  await product.settle();
  await answerAll(admin);
  expect(
    (await callAsUser('PUT', '/users/me', { phone: newPhone, current_password: canary.password }))
      .status,
  ).toBe(200);
  await product.settle();
  await product.reply(newPhone, 'YES');
  await product.settle();
  expect((await callAsUser<Me>('GET', '/users/me')).body).toMatchObject({ consent: 'granted' });
});

test('rejected requests put no personal data or password into a log', async () => {
  const friendToken = await product.login(friend.email, friend.password);
  const taken = await product.api(
    'PUT',
    '/users/me',
    { email: canary.email, current_password: friend.password },
    friendToken,
  );
  expect(taken.status).toBe(409);
  const second = await product.api('POST', '/subscriptions', canary);
  expect(second.status).toBe(409);
  const wrong = { login: canary.email, password: `${canary.password}!` };
  expect((await product.api('POST', '/users/login', wrong)).status).toBe(401);
  const query = new URLSearchParams({
    old_password: canary.password,
    new_password: secondPassword,
  });
  const changed = await callAsUser<{ access_token: string }>(
    'POST',
    `/users/me/change-password?${query}`,
  );
  expect(changed.status).toBe(200);
  token = changed.body.access_token;
  expect(await findTraces(secrets)).toEqual([]);
  expect(await logsWith(traces)).toEqual([]);
});

test('the export contains what the pages show: texts, invoices, messages and settings', async () => {
  const { status, body } = await callAsUser<UserExport>('GET', '/users/me/export');
  expect(status).toBe(200);
  expect(body.account).toMatchObject((await callAsUser<Me>('GET', '/users/me')).body);
  expect(body.account).toMatchObject({
    consents: [{ source: 'reply' }, { source: 'reply' }],
  });
  const conversations = JSON.stringify((body.account as { letters: unknown }).letters);
  for (const words of ['From Zebulon', 'Dear Zebulon, by text', 'Dear Zebulon, by email'])
    expect(conversations).toContain(words);
  const texts = JSON.stringify(body.texts);
  const history = await callAsUser<HistoryItem[]>('GET', '/users/me/sms-history?limit=10');
  expect(history.body.length).toBeGreaterThan(0);
  for (const item of history.body) expect(texts).toContain(JSON.stringify(item.message_content));
  expect(texts).toContain('Thanks, this is Zebulon Quackenbush');
  const invoices = await callAsUser<UserInvoice[]>('GET', '/users/me/invoices');
  expect(invoices.body.length).toBeGreaterThan(0);
  for (const { id: invoice } of invoices.body)
    expect(JSON.stringify(body.billing)).toContain(invoice);
  expect(JSON.stringify(body.schedule)).toContain('2027-04-06');
});

test("a deletion on the morning of the third day stops that day's text and ends the subscription", async () => {
  await product.advanceTo(new Date('2027-04-07T12:40:00Z'), 12);
  const before = (await accepted()).length;
  // Verifies that the search works.
  expect((await tablesWith(running.stack.databaseAdminUrl, traces)).length).toBeGreaterThan(5);
  expect(await filesWith(running.stack.layout.nats, traces)).not.toEqual([]);
  const wrong = await callAsUser('POST', '/users/me/delete', { password: canary.password });
  expect(wrong).toMatchObject({ status: 422, body: { detail: 'Your password is incorrect.' } });
  const done = await callAsUser('POST', '/users/me/delete', { password: secondPassword });
  expect(done).toMatchObject({ status: 200, body: { detail: 'Your account has been deleted.' } });
  await eventually(async () => (await callAsUser('GET', '/users/me')).status === 401, {
    within: 30_000,
    what: 'the end of the session',
  });
  await product.settle();
  await product.advanceTo(new Date('2027-04-08T18:00:00Z'), 12);
  expect((await accepted()).length).toBe(before);

  const { stripe_api_key } = loadSecrets(running.stack.layout.secrets, {});
  const response = await fetch(`${product.urls.sandbox}/v1/subscriptions?status=all`, {
    headers: { authorization: `Bearer ${stripe_api_key}` },
  });
  const { data } = (await response.json()) as { data: { status: string }[] };
  expect(data.map((one) => one.status)).toEqual(['canceled']);
  const mails = await product.sandbox<{ subject: string }[]>(
    'GET',
    `/sandbox/emails?to=${encodeURIComponent(canary.email)}`,
  );
  expect(mails.body.map((mail) => mail.subject)).toContain('Your Daylift account has been deleted');
});

test('nothing of the person is left in tables, streams, queues and logs', async () => {
  let left: string[] = [];
  await eventually(
    async () => {
      left = await findTraces([...traces, ...secrets]);
      return left.length === 0;
    },
    { within: 60_000 },
  ).catch(() => undefined);
  expect(left).toEqual([]);
});

test('the same person can sign up again, as a new user', async () => {
  const newId = await product.signUp(canary);
  expect(newId).not.toBe(id);
  token = await product.login(canary.email, canary.password);
  expect((await callAsUser<Me>('GET', '/users/me')).body).toMatchObject({
    email: canary.email,
    phone: canary.phone,
    referral_count: 0,
    referral_code: null,
  });
});
