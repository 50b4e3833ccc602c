import { randomUUID } from 'node:crypto';
import type { InboxPage } from '@daylift/contracts/inbox.http';
import { eventually } from '@daylift/testing/eventually';
import { expect, test } from 'vitest';
import {
  aPerson,
  aSubscriber,
  get,
  guessed,
  isEnded,
  logIn,
  password,
  post,
  signInAdmin,
  stolen,
  target,
} from './target.ts';

const signup = {
  name: 'Mallory',
  phone: '+14155558801',
  password: stolen,
  timezone: 'America/New_York',
  delivery_time: '09:00',
  sms_consent: true,
};
const mailsTo = async (email: string) =>
  (
    await target().product.sandbox<{ subject: string; text: string }[]>(
      'GET',
      `/sandbox/emails?to=${encodeURIComponent(email)}`,
    )
  ).body;
const put = (token: string, body: object) =>
  target().product.api<{ code: string }>('PUT', '/users/me', body, token);

test('an email that was only typed in opens nothing written from or to it', async () => {
  const message = {
    name: 'Vera',
    email: 'vera@example.com',
    subject: 'Parcel',
    message: 'Blue house',
  };
  expect((await post('/contact', message)).status).toBe(202);
  const thief = await aPerson({ email: message.email });
  const token = await target().product.login(message.email, password);
  const shown = await get('/users/me/export', token);
  expect(shown.status).toBe(200);
  expect(JSON.stringify(shown.body)).not.toContain('Blue house');
  expect((await post('/users/me/delete', { password }, token)).status).toBe(200);
  const admin = await signInAdmin();
  const inbox = await get<InboxPage>('/admin/inbox?search=parcel', admin);
  expect(inbox.body.items).toMatchObject([{ email: message.email, subject: 'Parcel' }]);
  expect(thief.id).not.toBe('');
});

test("our own addresses and names that look like links can't sign up", async () => {
  for (const email of ['support@daylift.example', 'postmaster@daylift.example'])
    expect(await post('/subscriptions', { ...signup, email })).toMatchObject({
      status: 400,
      body: { code: 'ADDRESS_NOT_ALLOWED' },
    });
  const name = 'Your parcel is held. Pay 1.99 now: https://parcel.example';
  expect(await post('/subscriptions', { ...signup, email: 'm@example.com', name })).toMatchObject({
    status: 400,
    body: { code: 'INVALID_NAME' },
  });
});

test("abandoned forms and a stranger's link with someone's email don't take it from them", async () => {
  const { product } = target();
  const squatted = await aPerson({ password: stolen });
  const { id: _, ...form } = squatted;
  expect((await post('/subscriptions', { ...form, password })).status).toBe(201);
  await product.settle();
  const links = await eventually(
    async () => {
      const found = (await mailsTo(form.email)).flatMap(
        ({ text }) => /confirm-email#([\w-]+)/.exec(text)?.[1] ?? [],
      );
      return found.length === 2 && found;
    },
    { within: 30_000, what: 'the links of both signups' },
  );
  for (const token of links)
    expect(await post('/users/confirm-email', { token })).toMatchObject({
      status: 400,
      body: { code: 'PASSWORD_NEEDED' },
    });
  const responses = [];
  for (const token of links)
    responses.push((await post('/users/confirm-email', { token, password })).status);
  expect(responses.sort()).toEqual([200, 422]);
  expect((await logIn(form)).status).toBe(200);
  await eventually(async () => (await logIn(form, stolen)).status === 401);
});

test('a stolen session changes neither phone nor email, and the old email can revert a change', async () => {
  const { product } = target();
  const person = await aSubscriber();
  await product.confirmEmail(person.email);
  const token = await product.login(person.email, password);
  for (const wanted of [{ phone: '+14155558802' }, { email: 'thief@example.com' }]) {
    expect(await put(token, wanted)).toMatchObject({
      status: 400,
      body: { code: 'PASSWORD_NEEDED' },
    });
    expect((await put(token, { ...wanted, current_password: stolen })).status).toBe(422);
  }
  const phone = '+14155558803';
  expect(await put(token, { phone, current_password: password })).toMatchObject({
    status: 200,
    body: { phone: person.phone, pending_phone: phone },
  });
  const link = await eventually(
    async () =>
      (await mailsTo(person.email)).flatMap(
        ({ text }) => /revert-change#([\w-]+)/.exec(text)?.[1] ?? [],
      )[0],
    { within: 30_000, what: 'the link' },
  );
  expect((await post('/users/revert-change', { token: link })).status).toBe(200);
  await isEnded(token);
  expect((await logIn(person)).status).toBe(401);
  const wanted = { email_or_phone: person.email, password: guessed };
  expect((await post('/users/set-password', wanted)).status).toBe(202);
  const code = await eventually(
    async () =>
      (await mailsTo(person.email)).flatMap(
        ({ text }) => /new password for \w+ is (\d{6})/.exec(text)?.[1] ?? [],
      )[0],
    { within: 30_000, what: 'the code' },
  );
  expect((await post('/users/set-password', { ...wanted, code })).status).toBe(200);
  const newToken = await product.login(person.email, guessed);
  expect((await get('/users/me', newToken)).body).toMatchObject({
    ...{ phone: person.phone, pending_phone: null },
  });
});

/** Proves the pending number with the texted code. */
async function confirmByCode(token: string, phone: string): Promise<void> {
  const { product } = target();
  expect((await post('/users/me/confirm-phone', {}, token)).status).toBe(202);
  await product.settle();
  await product.advance(61 / 3600);
  const code = await eventually(
    async () =>
      (await product.texts(phone))
        .flatMap(({ text }) => /(\d{6}) is your code to confirm/.exec(text)?.[1] ?? [])
        .at(-1),
    { within: 30_000, what: 'the code' },
  );
  expect((await post('/users/me/confirm-phone', { code }, token)).status).toBe(200);
}

test('a number typed in first captures no YES, and a code gives it to its owner', async () => {
  const { product } = target();
  const phone = '+14155558810';
  const thief = await aSubscriber({ phone });
  const holder = await aSubscriber({ phone });
  await product.reply(phone, 'YES');
  await product.settle();
  const phoneOf = async (email: string) =>
    (await get('/users/me', await product.login(email, password))).body;
  for (const { email } of [thief, holder])
    expect(await phoneOf(email)).toMatchObject({ phone, phone_proven: false });
  expect((await product.texts(phone)).map(({ text }) => text)).toContainEqual(
    expect.stringContaining("YES can't confirm this number"),
  );
  const hijacker = await product.login(thief.email, password);
  await confirmByCode(hijacker, phone);
  expect(await phoneOf(holder.email)).toMatchObject({ phone: '' });
  const token = await product.login(holder.email, password);
  expect(await put(token, { phone, current_password: password })).toMatchObject({
    ...{ status: 200, body: { pending_phone: phone } },
  });
  await product.advance(61 / 3600);
  await confirmByCode(token, phone);
  expect(await phoneOf(holder.email)).toMatchObject({ phone, phone_proven: true });
  expect(await phoneOf(thief.email)).toMatchObject({ phone: '', phone_proven: false });
});

test("what a number's holder texts isn't emailed to an account that only typed the number in", async () => {
  const { product } = target();
  const { phone, email } = await aSubscriber({ name: 'Trudy' });
  await product.reply(phone, 'This is Jane Doe of Elm Street, who are you?');
  const admin = await signInAdmin();
  const item = await eventually(
    async () => (await get<InboxPage>('/admin/inbox?search=elm', admin)).body.items[0],
    { within: 30_000, what: 'the text in the inbox' },
  );
  const answer = { text: 'Hello', idempotency_key: randomUUID() };
  const url = `/admin/inbox/${item.id}/answer`;
  expect((await post(url, { ...answer, by: 'email' }, admin)).status).toBe(409);
  expect((await post(url, { ...answer, by: 'text' }, admin)).status).toBe(200);
  await product.settle();
  expect(JSON.stringify(await mailsTo(email))).not.toContain('Elm Street');
});

test('a signup paid after a day, on a page opened in time, keeps its account', async () => {
  const { product } = target();
  const person = await aPerson();
  await product.advance(23.9, 12);
  const session = await product.openCheckout(person.id);
  await product.settle();
  await product.advance(12, 12);
  await product.pay(session);
  await product.settle();
  const token = await product.login(person.email, password);
  expect((await get('/users/me/subscription', token)).body).toMatchObject({ status: 'trial' });
});
