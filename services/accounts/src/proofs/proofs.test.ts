import type { Me, SignupResponse } from '@daylift/contracts/accounts.http';
import { oneTimeCode } from '@daylift/server/one-time-code';
import { publishedEvents } from '@daylift/testing/published';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  aSignup,
  aSubscriber,
  aUser,
  codeOf,
  confirmEmail,
  linkTokens,
  setUser,
  userRow,
} from '../../test/factories.ts';
import { asUser, createHarness, type Harness, testStart } from '../../test/harness.ts';
import { sendCodes } from '../one-time-codes/send-codes.ts';
import { expireSignupsLoop } from '../signups/expire-signups.loop.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
});
beforeEach(() => harness.clock.set(testStart));
afterAll(() => harness.close());

const post = (url: string, body?: unknown, as?: ReturnType<typeof asUser>) =>
  harness.call({ method: 'POST', url, ...(body !== undefined && { body }), ...(as && { as }) });
const logIn = async (login: string, password = 'correct horse') =>
  (await post('/users/login', { login, password })).statusCode;
const resend = (id: string, ip = '203.0.113.1') =>
  harness.call({
    ...{ method: 'POST', url: '/users/me/confirm-email', as: asUser(id) },
    headers: { 'x-client-ip': ip },
  });
const signUpFrom = async (ip: string, email: string) => {
  const headers = { 'x-client-ip': ip };
  const body = aSignup({ email });
  const response = await harness.call({ method: 'POST', url: '/subscriptions', body, headers });
  expect(response.statusCode).toBe(201);
  return response.json<SignupResponse>();
};
const exists = async (id: string) =>
  (await harness.deps.db.selectFrom('users').select('id').where('id', '=', id).execute()).length >
  0;
const confirmConsent = async (id: string) => {
  const { version } = await userRow(harness, id);
  await harness.receive('sms.consent.confirmed', {
    user_id: id,
    recipient_version: version,
    at: harness.clock.now().toISOString(),
  });
};
const stop = (id: string) =>
  harness.receive('sms.recipient.opted_out', {
    user_id: id,
    at: harness.clock.now().toISOString(),
    source: 'keyword',
  });
/** Requests a code and returns it with its channel, or null if none is sent. */
async function requestCode(login: string) {
  await post('/users/set-password', { email_or_phone: login, password: 'x'.repeat(8) });
  await sendCodes(harness.deps);
  const open = await harness.deps.db
    .selectFrom('one_time_codes')
    .selectAll()
    .where('closed_at', 'is', null)
    .orderBy('requested_at', 'desc')
    .executeTakeFirst();
  await harness.deps.db.deleteFrom('code_asks').execute();
  return open && { ...open, code: oneTimeCode(harness.deps.codeKey, open.request_id) };
}

describe('An email', () => {
  it('is proven by the link in the first mail, which contains no name', async () => {
    const user = await aUser(harness, { name: 'Zenobia Quill' });
    const [mail] = await harness.deps.db
      .selectFrom('mails')
      .select('text')
      .where('to_address', '=', user.email)
      .execute();
    expect(mail?.text).toContain('https://daylift.test/confirm-email#');
    expect(mail?.text).not.toContain('Zenobia');
    const response = await confirmEmail(harness, user.email);
    expect([response.statusCode, response.json()]).toEqual([
      200,
      { detail: 'Your email address is confirmed.' },
    ]);
    const me = await harness.call({ url: '/users/me', as: asUser(user.id) });
    expect(me.json<Me>()).toMatchObject({ email_proven: true, phone_proven: false });
    const published = (await publishedEvents(harness.deps.db, 'accounts.contact.changed')).at(
      -1,
    )?.data;
    expect(published).toMatchObject({ user_id: user.id, version: 2, email_proven: true });
    expect((await confirmEmail(harness, user.email)).statusCode).toBe(200);
  });

  it("isn't proven by a forged, expired or other account's token", async () => {
    const user = await aUser(harness);
    for (const token of ['x', 'A'.repeat(43), user.id]) {
      const response = await post('/users/confirm-email', { token });
      expect([response.statusCode, codeOf(response)]).toEqual([400, 'LINK_NOT_GOOD']);
    }
    harness.clock.advance({ hours: 7 * 24 + 1 });
    expect((await confirmEmail(harness, user.email)).statusCode).toBe(400);
    expect(await userRow(harness, user.id)).toMatchObject({ email_proven_at: null });
  });

  it('is removed from the account when its owner declines, and the account can add another', async () => {
    const unpaid = await aUser(harness);
    expect((await confirmEmail(harness, unpaid.email, true)).statusCode).toBe(200);
    expect(await userRow(harness, unpaid.id)).toMatchObject({ email: null, phone: unpaid.phone });
    const paid = await aSubscriber(harness);
    await confirmEmail(harness, paid.email, true);
    expect(await userRow(harness, paid.id)).toMatchObject({ email: null, phone: paid.phone });
    expect(await logIn(paid.phone)).toBe(200);
    expect((await harness.call({ url: '/users/me', as: asUser(paid.id) })).json()).toMatchObject({
      email: '',
    });
    const second = await resend(paid.id);
    expect([second.statusCode, codeOf(second)]).toEqual([409, 'NO_EMAIL']);
    const added = { email: `new-${paid.email}`, current_password: 'correct horse' };
    const response = await harness.call({
      ...{ method: 'PUT', url: '/users/me', as: asUser(paid.id), body: added },
    });
    expect(response.json()).toMatchObject({ email: added.email });
  });

  it('gets three links per day and account, independent of other accounts', async () => {
    const email = 'claimed@example.com';
    const stranger = await aUser(harness, { email });
    const sent = [];
    for (let more = 0; more < 4; more += 1) sent.push((await resend(stranger.id)).statusCode);
    expect(sent).toEqual([202, 202, 429, 429]);
    const holder = await aUser(harness, { email });
    expect((await resend(holder.id)).statusCode).toBe(202);
    expect(await linkTokens(harness, email)).toHaveLength(5);
  });

  it('gets six links per day from one network, independent of others', async () => {
    const email = 'flooded@example.com';
    const first = await signUpFrom('198.51.100.1', email);
    for (let more = 0; more < 6; more += 1) await signUpFrom('198.51.100.1', email);
    expect(await linkTokens(harness, email)).toHaveLength(6);
    const rejected = await resend(first.id, '198.51.100.1');
    expect([rejected.statusCode, codeOf(rejected)]).toEqual([429, 'TOO_MANY_CONFIRMATIONS']);
    const owner = await signUpFrom('203.0.113.5', email);
    expect((await resend(owner.id, '203.0.113.5')).statusCode).toBe(202);
    expect(await linkTokens(harness, email)).toHaveLength(8);
  });

  it('gets twenty links per day from all unpaid accounts and networks, and three more for one that has paid', async () => {
    const email = 'besieged@example.com';
    for (let network = 1; network <= 11; network += 1)
      for (let account = 0; account < 2; account += 1)
        await signUpFrom(`198.51.100.${network}`, email);
    expect(await linkTokens(harness, email)).toHaveLength(20);
    const owner = await signUpFrom('203.0.113.6', email);
    expect((await resend(owner.id, '203.0.113.6')).statusCode).toBe(429);
    await setUser(harness, owner.id, { subscription_version: 1 });
    const sent = [];
    for (let more = 0; more < 4; more += 1)
      sent.push((await resend(owner.id, '203.0.113.6')).statusCode);
    expect(sent).toEqual([202, 202, 202, 429]);
  });

  it('can request the link again while signed in, until it is confirmed', async () => {
    const user = await aUser(harness);
    harness.clock.advance({ minutes: 1 });
    expect((await resend(user.id)).statusCode).toBe(202);
    await confirmEmail(harness, user.email);
    expect(await userRow(harness, user.id)).toMatchObject({ email_proof: 'session' });
    const second = await resend(user.id);
    expect([second.statusCode, codeOf(second)]).toEqual([409, 'EMAIL_PROVEN']);
    expect((await post('/users/me/confirm-email')).statusCode).toBe(401);
  });
});

describe('An email that two accounts claim', () => {
  const createTwoClaims = async () => {
    const owner = await aUser(harness);
    harness.clock.advance({ minutes: 1 });
    const stolen = { password: 'stolen evening', confirmPassword: 'stolen evening' };
    const attacker = await aSubscriber(harness, { email: owner.email, ...stolen });
    const [ownLink = '', attackersLink = ''] = await linkTokens(harness, owner.email);
    return { owner, attacker, ownLink, attackersLink };
  };
  const confirm = async (body: object) => {
    const response = await post('/users/confirm-email', body);
    return [response.statusCode, response.statusCode === 200 ? 'CONFIRMED' : codeOf(response)];
  };

  it("can only be proven by an owner who knows that account's password", async () => {
    const { owner, attacker, ownLink, attackersLink } = await createTwoClaims();
    for (const token of [ownLink, attackersLink])
      expect(await confirm({ token })).toEqual([400, 'PASSWORD_NEEDED']);
    const wrong = await confirm({ token: attackersLink, password: 'correct horse' });
    expect(wrong).toEqual([422, 'PASSWORD_WRONG']);
    expect(await userRow(harness, attacker.id)).toMatchObject({ email_proven_at: null });
    const right = await confirm({ token: ownLink, password: 'correct horse' });
    expect(right).toEqual([200, 'CONFIRMED']);
    expect(await userRow(harness, attacker.id)).toMatchObject({ email: null });
    expect(await logIn(owner.email)).toBe(200);
  });

  it('can be declined without a password, and then needs none for the other account', async () => {
    const { owner, attackersLink, ownLink } = await createTwoClaims();
    expect(await confirm({ token: attackersLink, decline: true })).toEqual([200, 'CONFIRMED']);
    expect(await confirm({ token: ownLink })).toEqual([200, 'CONFIRMED']);
    expect(await userRow(harness, owner.id)).toMatchObject({ email_proof: 'link' });
  });

  it("doesn't let anyone guess the password through the link", async () => {
    const { attackersLink: token } = await createTwoClaims();
    for (let tried = 0; tried < 5; tried += 1)
      expect(await confirm({ token, password: 'a guess' })).toEqual([422, 'PASSWORD_WRONG']);
    expect(await confirm({ token, password: 'stolen evening' })).toEqual([429, 'TOO_MANY_TRIES']);
  });

  it("lets no stranger with the link use up the account's own password tries", async () => {
    const user = await aSubscriber(harness);
    const [token] = await linkTokens(harness, user.email);
    for (let tried = 0; tried < 5; tried += 1)
      expect(await confirm({ token, password: 'a guess' })).toEqual([422, 'PASSWORD_WRONG']);
    const body = { old_password: 'correct horse', new_password: 'battery staple' };
    const url = '/users/me/change-password';
    const response = await harness.call({ method: 'POST', url, as: asUser(user.id), body });
    expect(response.statusCode).toBe(200);
  });
});

describe('An address that was only typed in', () => {
  it('blocks no one, and ends when its owner proves the email or phone', async () => {
    const abandoned = await aUser(harness);
    const paid = await aSubscriber(harness, {
      email: abandoned.email,
      phone: abandoned.phone,
      password: 'paid password',
      confirmPassword: 'paid password',
    });
    harness.clock.advance({ minutes: 1 });
    const holder = await aUser(harness, {
      email: abandoned.email,
      phone: abandoned.phone,
      password: 'holder password',
      confirmPassword: 'holder password',
    });
    expect(await logIn(holder.email, 'holder password')).toBe(200);
    await confirmEmail(harness, holder.email, false, 'holder password');
    expect(await userRow(harness, abandoned.id)).toMatchObject({ email: null });
    expect(await userRow(harness, paid.id)).toMatchObject({ email: null, phone: holder.phone });
    await confirmConsent(holder.id);
    expect(await exists(abandoned.id)).toBe(false);
    expect(await userRow(harness, holder.id)).toMatchObject({ phone_proof: 'reply' });
    expect(await userRow(harness, paid.id)).toMatchObject({ phone: null, consent: 'pending' });
    const recipients = await publishedEvents(harness.deps.db, 'accounts.recipient.changed');
    const last = recipients.findLast(
      ({ data }) => (data as Me & { user_id: string }).user_id === paid.id,
    );
    expect(last?.data).toMatchObject({ phone: null, phone_proven: false });
    expect(await harness.mails(paid.email)).toEqual([]);
    const taken = await post('/subscriptions', aSignup({ phone: holder.phone }));
    expect([taken.statusCode, codeOf(taken)]).toEqual([409, 'ACCOUNT_EXISTS']);
  });

  it('is removed from a subscriber, with a mail about it', async () => {
    const loser = await aSubscriber(harness, { email: 'loser@example.com' });
    harness.clock.advance({ minutes: 1 });
    const holder = await aSubscriber(harness, { phone: loser.phone });
    await confirmConsent(holder.id);
    const lost = (await harness.mails(loser.email)).filter(
      ({ subject }) => subject === 'Your number is no longer on your account',
    );
    expect(lost).toHaveLength(1);
    expect(lost[0]?.text).toContain('someone else confirmed it as theirs');
  });

  it("doesn't erase a signup whose payment is unknown", async () => {
    const payer = await aUser(harness);
    harness.clock.advance({ minutes: 1 });
    const holder = await aUser(harness, {
      email: payer.email,
      password: 'holder password',
      confirmPassword: 'holder password',
    });
    await confirmEmail(harness, holder.email, false, 'holder password');
    await harness.receive('billing.subscription.changed', {
      ...{ user_id: payer.id, version: 1, status: 'trial', plan: 'monthly' },
      ...{ trial_end: null, current_period_end: null, cancel_at_period_end: false },
      ...{ entitled: true, entitled_until: null, entitled_since: null },
    });
    expect(await userRow(harness, payer.id)).toMatchObject({
      ...{ email: null, phone: payer.phone, subscription_status: 'trial' },
    });
    expect(await logIn(payer.phone)).toBe(200);
  });

  it('gets no mail but the confirmation until the account is paid', async () => {
    const user = await aUser(harness);
    const change = { phone: '+12025550188', current_password: 'correct horse' };
    const as = asUser(user.id);
    await harness.call({ method: 'PUT', url: '/users/me', body: change, as });
    const deleted = await post('/users/me/delete', { password: 'correct horse' }, as);
    expect(deleted.statusCode).toBe(200);
    expect(await harness.mails(user.email)).toEqual([]);
  });

  it('is erased after a day unless the signup is paid or confirmed', async () => {
    const [unpaid, paid] = [await aUser(harness), await aSubscriber(harness)];
    const confirmed = await aUser(harness);
    await confirmEmail(harness, confirmed.email);
    const expire = () => expireSignupsLoop(harness.deps).run?.();
    harness.clock.advance({ hours: 23 });
    await expire();
    expect(await exists(unpaid.id)).toBe(true);
    harness.clock.advance({ hours: 1 });
    await Promise.all([expire(), expire()]);
    expect([await exists(unpaid.id), await exists(paid.id)]).toEqual([false, true]);
    expect(await exists(confirmed.id)).toBe(true);
    expect(await harness.mails(unpaid.email)).toEqual([]);
  });
});

describe("A stranger who signed up with another person's phone", () => {
  it("gets no code by email after a STOP, and keeps neither email nor session after the phone's recovery", async () => {
    const attacker = await aSubscriber(harness, { email: 'attacker@example.com' });
    const [earlyLink = 'none'] = await linkTokens(harness, attacker.email);
    const requested = await requestCode(attacker.phone);
    expect(requested?.channel).toBe('text');
    const body = { email_or_phone: attacker.phone, password: 'victim password' };
    const set = await post('/users/set-password', { ...body, code: requested?.code });
    expect(set.statusCode).toBe(200);
    expect(await userRow(harness, attacker.id)).toMatchObject({
      phone_proof: 'recovery',
      email_proven_at: null,
      session_version: 1,
    });
    const late = await post('/users/confirm-email', { token: earlyLink });
    expect(late.statusCode).toBe(400);
    await stop(attacker.id);
    expect(await requestCode(attacker.email)).toBeUndefined();
    expect(await logIn(attacker.email)).toBe(401);
    expect((await harness.mails(attacker.email)).map(({ subject }) => subject)).not.toContain(
      'Your code to set a new password',
    );
  });

  it('loses a confirmed email when the phone recovers the account', async () => {
    const attacker = await aSubscriber(harness, { email: 'confirmed@example.com' });
    await confirmEmail(harness, attacker.email);
    await confirmConsent(attacker.id);
    const requested = await requestCode(attacker.phone);
    const body = { email_or_phone: attacker.phone, password: 'victim password' };
    await post('/users/set-password', { ...body, code: requested?.code });
    expect(await userRow(harness, attacker.id)).toMatchObject({
      email_proven_at: null,
      phone_proof: 'reply',
    });
  });

  it('keeps no pending change once the phone recovers the account, and gets no code by undoing one', async () => {
    const attacker = await aSubscriber(harness, { email: 'patient@example.com' });
    await confirmEmail(harness, attacker.email);
    await confirmConsent(attacker.id);
    harness.clock.advance({ minutes: 1 });
    const wanted = { email: 'next@example.com', phone: '+12025550166' };
    const changed = await harness.call({
      ...{ method: 'PUT', url: '/users/me', as: asUser(attacker.id) },
      body: { ...wanted, current_password: 'correct horse' },
    });
    expect(changed.statusCode).toBe(200);
    const { version } = await userRow(harness, attacker.id);
    const links = [
      ...(await linkTokens(harness, attacker.email)),
      ...(await linkTokens(harness, wanted.email)),
    ];
    const requested = await requestCode(attacker.phone);
    expect(requested?.channel).toBe('text');
    const body = { email_or_phone: attacker.phone, password: 'victim password' };
    expect((await post('/users/set-password', { ...body, code: requested?.code })).statusCode).toBe(
      200,
    );
    for (const token of links)
      expect((await post('/users/confirm-email', { token })).statusCode).toBe(400);
    await harness.receive('sms.consent.confirmed', {
      user_id: attacker.id,
      recipient_version: version,
      at: harness.clock.now().toISOString(),
    });
    expect(await userRow(harness, attacker.id)).toMatchObject({
      ...{ phone: attacker.phone, pending_phone: null },
      ...{ email_proven_at: null, pending_email: null },
    });
    // The mailed links still work: the owner may have lost the number to a thief.
    const undone = [];
    for (const token of links)
      undone.push((await post('/users/revert-change', { token })).statusCode);
    expect(undone).toContain(200);
    const longAgo = new Date(Date.now() - 120_000);
    await harness.deps.db.updateTable('one_time_codes').set({ requested_at: longAgo }).execute();
    const next = await requestCode(attacker.email);
    expect(next).toMatchObject({ channel: 'text' });
    expect(next?.request_id).not.toBe(requested?.request_id);
    expect(await userRow(harness, attacker.id)).toMatchObject({
      ...{ phone: attacker.phone, phone_proof: 'reply', pending_phone: null },
      ...{ email: attacker.email, pending_email: null },
    });
  });

  it('keeps both proofs if both were given while signed in', async () => {
    const user = await aSubscriber(harness);
    const proven_at = harness.clock.now();
    await setUser(harness, user.id, {
      ...{ email_proven_at: proven_at, email_proof: 'session' },
      ...{ phone_proven_at: proven_at, phone_proof: 'session' },
    });
    const requested = await requestCode(user.phone);
    const body = { email_or_phone: user.phone, password: 'my new password' };
    expect((await post('/users/set-password', { ...body, code: requested?.code })).statusCode).toBe(
      200,
    );
    expect(await userRow(harness, user.id)).toMatchObject({
      email_proof: 'session',
      phone_proof: 'session',
    });
  });
});
