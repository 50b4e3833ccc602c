import type { Me } from '@daylift/contracts/accounts.http';
import { linkToken, oneTimeCode } from '@daylift/server/one-time-code';
import { publishedEvents } from '@daylift/testing/published';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  aSubscriber,
  aUser,
  codeOf,
  confirmEmail,
  linkTokens,
  provenEmail,
  provenPhone,
  setUser,
  userRow,
} from '../../test/factories.ts';
import { asUser, createHarness, type Harness, testStart } from '../../test/harness.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
});
beforeEach(() => harness.clock.set(testStart));
afterAll(() => harness.close());

const current_password = 'correct horse';
const change = (id: string, body: object) =>
  harness.call({ method: 'PUT', url: '/users/me', as: asUser(id), body });
const post = (url: string, id: string, body?: object) =>
  harness.call({ method: 'POST', url, as: asUser(id), ...(body && { body }) });
const aProvenSubscriber = async () => {
  const user = await aSubscriber(harness);
  await setUser(harness, user.id, { ...provenEmail(), ...provenPhone() });
  harness.clock.advance({ minutes: 1 });
  return user;
};
const revert = async (email: string) => {
  harness.clock.advance({ minutes: 1 });
  const token = (await linkTokens(harness, email)).at(-1);
  return harness.call({ method: 'POST', url: '/users/revert-change', body: { token } });
};
const confirmConsent = async (id: string) =>
  harness.receive('sms.consent.confirmed', {
    user_id: id,
    recipient_version: (await userRow(harness, id)).version,
    at: harness.clock.now().toISOString(),
  });
const lastCode = async (id: string) => {
  const { request_id } = await harness.deps.db
    .selectFrom('one_time_codes')
    .select('request_id')
    .where('user_id', '=', id)
    .where('closed_at', 'is', null)
    .executeTakeFirstOrThrow();
  return oneTimeCode(harness.deps.codeKey, request_id);
};
const recover = (login: string, code: string) =>
  harness.call({
    method: 'POST',
    url: '/users/set-password',
    body: { email_or_phone: login, password: 'stolen now', code },
  });

describe('A stolen session', () => {
  it("can't change phone or email without the password", async () => {
    const user = await aProvenSubscriber();
    for (const wanted of [{ phone: '+12025550101' }, { email: 'thief@example.com' }]) {
      const without = await change(user.id, wanted);
      expect([without.statusCode, codeOf(without)]).toEqual([400, 'PASSWORD_NEEDED']);
      const guessed = await change(user.id, { ...wanted, current_password: 'a guess' });
      expect([guessed.statusCode, codeOf(guessed)]).toEqual([422, 'CURRENT_PASSWORD_WRONG']);
      const coded = await change(user.id, { ...wanted, code: '000000' });
      expect([coded.statusCode, codeOf(coded)]).toEqual([400, 'CODE_NOT_RIGHT']);
    }
    expect(await userRow(harness, user.id)).toMatchObject({
      ...{ email: user.email, pending_email: null },
      ...{ phone: user.phone, pending_phone: null },
    });
  });

  it("can't set the password with a code sent to a new number", async () => {
    const user = await aProvenSubscriber();
    await change(user.id, { phone: '+12025550102', current_password });
    expect((await post('/users/me/confirm-phone', user.id, {})).statusCode).toBe(202);
    const code = await lastCode(user.id);
    for (const login of [user.email, user.phone])
      expect((await recover(login, code)).statusCode).toBe(400);
  });
});

describe('A new phone', () => {
  it('takes effect after its YES; texts go to the old one until then', async () => {
    const user = await aProvenSubscriber();
    const phone = '+12025550103';
    const response = await change(user.id, { phone, current_password });
    expect(response.json<Me>()).toMatchObject({
      ...{ phone: user.phone, pending_phone: phone, consent: 'granted' },
    });
    const published = (await publishedEvents(harness.deps.db, 'accounts.recipient.changed')).at(-1);
    expect(published?.data).toMatchObject({ phone: user.phone, pending_phone: phone });
    await confirmConsent(user.id);
    expect(await userRow(harness, user.id)).toMatchObject({
      ...{ phone, pending_phone: null, phone_proof: 'reply', consent: 'granted' },
    });
  });

  it('is proven by a texted code, but still requires consent', async () => {
    const user = await aProvenSubscriber();
    const phone = '+12025550104';
    await change(user.id, { phone, current_password });
    await post('/users/me/confirm-phone', user.id, {});
    const requested = (await publishedEvents(harness.deps.db, 'accounts.code.requested')).at(-1);
    expect(requested?.data).toMatchObject({ user_id: user.id, purpose: 'prove' });
    const code = await lastCode(user.id);
    const wrong = code === '000000' ? '000001' : '000000';
    expect((await post('/users/me/confirm-phone', user.id, { code: wrong })).statusCode).toBe(400);
    expect((await post('/users/me/confirm-phone', user.id, { code })).statusCode).toBe(200);
    expect(await userRow(harness, user.id)).toMatchObject({
      ...{ phone, phone_proof: 'session', consent: 'pending' },
    });
    const second = await post('/users/me/confirm-phone', user.id, {});
    expect([second.statusCode, codeOf(second)]).toEqual([409, 'PHONE_PROVEN']);
  });

  it('moves to the account that enters its code, even if another had proven it', async () => {
    const [before, holder] = [await aProvenSubscriber(), await aProvenSubscriber()];
    const responses = [];
    for (const phone of [before.phone, '+12025550106']) {
      const response = await change(holder.id, { phone, current_password });
      responses.push([response.statusCode, response.json<Me>().pending_phone === phone]);
    }
    expect(responses).toEqual([
      [200, true],
      [200, true],
    ]);
    await change(holder.id, { phone: before.phone, current_password });
    expect((await post('/users/me/confirm-phone', holder.id, {})).statusCode).toBe(202);
    const code = await lastCode(holder.id);
    expect(await userRow(harness, before.id)).toMatchObject({ phone: before.phone });
    expect((await post('/users/me/confirm-phone', holder.id, { code })).statusCode).toBe(200);
    expect(await userRow(harness, holder.id)).toMatchObject({
      ...{ phone: before.phone, phone_proof: 'session', consent: 'pending' },
    });
    expect(await userRow(harness, before.id)).toMatchObject({
      ...{ phone: null, phone_proven_at: null, email: before.email },
    });
    const published = (await harness.mails(before.email)).map(({ subject }) => subject);
    expect(published).toEqual(['Your number is no longer on your account']);
  });

  it('can be recovered by code by an account that lost it', async () => {
    const user = await aSubscriber(harness);
    await setUser(harness, user.id, { phone: null, consent: 'pending' });
    const thief = await aSubscriber(harness, { phone: user.phone });
    await setUser(harness, thief.id, provenPhone());
    await change(user.id, { phone: user.phone, current_password });
    expect((await post('/users/me/confirm-phone', user.id, {})).statusCode).toBe(202);
    const code = await lastCode(user.id);
    expect((await post('/users/me/confirm-phone', user.id, { code })).statusCode).toBe(200);
    expect(await userRow(harness, user.id)).toMatchObject({ phone: user.phone });
    expect(await userRow(harness, thief.id)).toMatchObject({ phone: null });
  });

  it("isn't proven by a YES for a dropped change", async () => {
    const user = await aSubscriber(harness);
    await change(user.id, { phone: '+12025550107', current_password });
    const { version } = await userRow(harness, user.id);
    await change(user.id, { phone: user.phone });
    await harness.receive('sms.consent.confirmed', {
      ...{ user_id: user.id, recipient_version: version, at: harness.clock.now().toISOString() },
    });
    expect(await userRow(harness, user.id)).toMatchObject({
      ...{ phone: user.phone, phone_proven_at: null, pending_phone: null },
    });
  });

  it('gets no text before the checkout', async () => {
    const user = await aUser(harness);
    const rejected = await post('/users/me/confirm-phone', user.id, {});
    expect([rejected.statusCode, codeOf(rejected)]).toEqual([409, 'NOT_SUBSCRIBED']);
  });

  it('can be reverted by the link in the old email, even after its YES', async () => {
    const user = await aProvenSubscriber();
    await change(user.id, { phone: '+12025550105', current_password });
    await confirmConsent(user.id);
    expect((await revert(user.email)).statusCode).toBe(200);
    expect(await userRow(harness, user.id)).toMatchObject({
      ...{ phone: user.phone, phone_proof: 'reply', consent: 'granted' },
      ...{ pending_phone: null, session_version: 1 },
    });
  });

  it('that texts fail to reach leaves no mark on the number that a link restores', async () => {
    const user = await aProvenSubscriber();
    await change(user.id, { phone: '+12025550108', current_password });
    await confirmConsent(user.id);
    harness.clock.advance({ minutes: 1 });
    const unreachable = async () =>
      harness.receive('sms.recipient.unreachable', {
        ...{ user_id: user.id, recipient_version: (await userRow(harness, user.id)).version },
        ...{ reason: 'undelivered', at: harness.clock.now().toISOString() },
      });
    await unreachable();
    expect((await revert(user.email)).statusCode).toBe(200);
    expect(await userRow(harness, user.id)).toMatchObject({
      ...{ phone: user.phone, consent: 'granted', unreachable: null, unreachable_since: null },
    });
    harness.clock.advance({ minutes: 1 });
    await unreachable();
    expect(await userRow(harness, user.id)).toMatchObject({
      ...{ unreachable: 'undelivered', consent: 'pending' },
    });
  });

  it('can be reverted by the link texted to the old number, even without a proven email', async () => {
    const user = await aSubscriber(harness);
    await setUser(harness, user.id, provenPhone());
    await change(user.id, { phone: '+12025550106', current_password });
    await confirmConsent(user.id);
    expect(await userRow(harness, user.id)).toMatchObject({ phone: '+12025550106' });
    const texted = await publishedEvents(harness.deps.db, 'accounts.code.requested');
    const { data } = texted.findLast(
      (event) => (event.data as { user_id: string }).user_id === user.id,
    ) as { data: { request_id: string; purpose: string; recipient_version: number } };
    expect(data.purpose).toBe('revert');
    const known = await publishedEvents(harness.deps.db, 'accounts.recipient.changed');
    expect(known.map((event) => event.data)).toContainEqual(
      expect.objectContaining({
        ...{ user_id: user.id, version: data.recipient_version },
        ...{ phone: user.phone, pending_phone: '+12025550106' },
      }),
    );
    const body = { token: linkToken(harness.deps.codeKey, data.request_id) };
    const revertAgain = () => harness.call({ method: 'POST', url: '/users/revert-change', body });
    expect((await revertAgain()).statusCode).toBe(200);
    expect(await userRow(harness, user.id)).toMatchObject({
      ...{ phone: user.phone, phone_proof: 'reply', session_version: 1 },
    });
    expect((await revertAgain()).statusCode).toBe(400);
  });
});

describe('A new email', () => {
  it('takes effect with its link; the old email can revert it for 72 hours', async () => {
    const user = await aProvenSubscriber();
    const email = `new-${user.email}`;
    const response = await change(user.id, { email, current_password });
    expect(response.json<Me>()).toMatchObject({ email: user.email, pending_email: email });
    await confirmEmail(harness, email);
    expect(await userRow(harness, user.id)).toMatchObject({ email, email_proof: 'session' });
    expect((await revert(user.email)).statusCode).toBe(200);
    expect(await userRow(harness, user.id)).toMatchObject({
      ...{ email: user.email, email_proof: 'link', session_version: 1 },
    });
    const twice = await revert(user.email);
    expect([twice.statusCode, codeOf(twice)]).toEqual([400, 'LINK_NOT_GOOD']);
    // There is no new link to request.
    expect(twice.json()).toMatchObject({ detail: expect.stringContaining('please contact us') });
    const late = await aProvenSubscriber();
    await change(late.id, { email: `new-${late.email}`, current_password });
    harness.clock.advance({ hours: 73 });
    expect((await revert(late.email)).statusCode).toBe(400);
  });

  it('is reverted together with every later change, and no later link undoes that', async () => {
    const user = await aProvenSubscriber();
    const [first, second] = [`first-${user.email}`, `second-${user.email}`];
    await change(user.id, { email: first, current_password });
    await confirmEmail(harness, first);
    harness.clock.advance({ minutes: 1 });
    await change(user.id, { phone: '+12025550177', current_password });
    await confirmConsent(user.id);
    harness.clock.advance({ minutes: 1 });
    await change(user.id, { email: second, current_password });
    await confirmEmail(harness, second);
    expect((await revert(user.email)).statusCode).toBe(200);
    for (const thiefs of await linkTokens(harness, first)) {
      const body = { token: thiefs };
      const late = await harness.call({ method: 'POST', url: '/users/revert-change', body });
      expect(late.statusCode).toBe(400);
    }
    expect(await userRow(harness, user.id)).toMatchObject({
      ...{ email: user.email, phone: user.phone, phone_proof: 'reply' },
      ...{ pending_email: null, pending_phone: null },
    });
    const login = { login: user.email, password: current_password };
    const signIn = await harness.call({ method: 'POST', url: '/users/login', body: login });
    expect(signIn.statusCode).toBe(401);
  });

  it('can be reverted for 72 hours from when it takes effect', async () => {
    const user = await aProvenSubscriber();
    const email = `patient-${user.email}`;
    await change(user.id, { email, current_password });
    harness.clock.advance({ hours: 80 });
    expect((await confirmEmail(harness, email)).statusCode).toBe(200);
    harness.clock.advance({ hours: 71 });
    expect((await revert(user.email)).statusCode).toBe(200);
  });

  it('can be authorized once by a code to the old email instead of the password, even after a rejected one', async () => {
    const user = await aProvenSubscriber();
    expect((await post('/users/me/contact-code', user.id)).statusCode).toBe(202);
    const [mail] = await harness.mails(user.email);
    expect(mail?.subject).toBe('Your code to change your phone or email');
    const code = await lastCode(user.id);
    expect((await recover(user.email, code)).statusCode).toBe(400);
    const other = await aProvenSubscriber();
    expect((await change(user.id, { email: other.email, code })).statusCode).toBe(409);
    const changes = ['a', 'b'].map((name) =>
      change(user.id, { email: `${name}-${user.email}`, code }),
    );
    const statuses = (await Promise.all(changes)).map((one) => one.statusCode);
    expect(statuses.toSorted()).toEqual([200, 400]);
    expect((await change(user.id, { email: `c-${user.email}`, code })).statusCode).toBe(400);
  });

  it('can be authorized by a code to the phone where no email is confirmed; its text says what for', async () => {
    const user = await aSubscriber(harness);
    await setUser(harness, user.id, provenPhone());
    expect((await post('/users/me/contact-code', user.id)).statusCode).toBe(202);
    const requested = (await publishedEvents(harness.deps.db, 'accounts.code.requested')).at(-1);
    expect(requested?.data).toMatchObject({ user_id: user.id, for_change: true });
    const code = await lastCode(user.id);
    expect((await change(user.id, { email: `c-${user.email}`, code })).statusCode).toBe(200);
  });

  it('is rejected if another account has proven it, or if it is ours', async () => {
    const [user, other] = [await aProvenSubscriber(), await aProvenSubscriber()];
    const taken = await change(user.id, { email: other.email, current_password });
    expect([taken.statusCode, codeOf(taken)]).toEqual([409, 'EMAIL_TAKEN']);
    const ownAddress = await change(user.id, { email: 'support@daylift.test', current_password });
    expect([ownAddress.statusCode, codeOf(ownAddress)]).toEqual([400, 'ADDRESS_NOT_ALLOWED']);
  });

  it('gives no account access to a stranger whose address was typed in', async () => {
    const user = await aSubscriber(harness);
    await change(user.id, { email: `right-${user.email}`, current_password });
    expect(await userRow(harness, user.id)).toMatchObject({ email: `right-${user.email}` });
    expect((await confirmEmail(harness, user.email)).statusCode).toBe(400);
    expect((await revert(user.email)).statusCode).toBe(400);
  });
});
