import { randomUUID } from 'node:crypto';
import type { ChangePasswordResponse } from '@daylift/contracts/accounts.http';
import { createVerifier } from 'fast-jwt';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  aSubscriber,
  aUser,
  confirmEmail,
  provenEmail,
  setUser,
  userRow,
} from '../../test/factories.ts';
import { asAdmin, asService, asUser, createHarness, type Harness } from '../../test/harness.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
});
afterAll(() => harness.close());

const url = '/users/me/change-password';
const change = (id: string, body?: unknown, version = 0, query = '') =>
  harness.call({ method: 'POST', url: `${url}${query}`, as: asUser(id, version), body });
const logIn = async (login: string, password: string) =>
  (await harness.call({ method: 'POST', url: '/users/login', body: { login, password } }))
    .statusCode;
const versionOf = (token: string) =>
  (createVerifier({ key: harness.publicKey, algorithms: ['EdDSA'] })(token) as { ver: number }).ver;
const counts = async (id: string, version: number) => {
  const query = { kind: 'user', subject: id, version: String(version), token_id: randomUUID() };
  const state = await harness.call({
    url: `/internal/sessions?${new URLSearchParams(query)}`,
    as: asService,
  });
  return state.json<{ valid: boolean }>().valid;
};
const right = { old_password: 'correct horse', new_password: 'battery staple' };

describe('POST /users/me/change-password', () => {
  it('sets the new password, ends all other sessions, returns a new token and notifies the user', async () => {
    const user = await aSubscriber(harness);
    const response = await change(user.id, right);
    expect(response.statusCode).toBe(200);
    const { access_token, ...rest } = response.json<ChangePasswordResponse>();
    expect(rest).toEqual({ detail: 'Password changed successfully!', token_type: 'bearer' });
    expect(versionOf(access_token)).toBe(1);
    expect([await counts(user.id, 0), await counts(user.id, 1)]).toEqual([false, true]);
    expect((await harness.call({ url: '/users/me', as: asUser(user.id, 0) })).statusCode).toBe(401);
    expect((await harness.call({ url: '/users/me', as: asUser(user.id, 1) })).statusCode).toBe(200);
    expect(await logIn(user.email, 'correct horse')).toBe(401);
    expect(await logIn(user.email, 'battery staple')).toBe(200);
    const mails = await harness.mails(user.email);
    expect(mails.map(({ subject }) => subject)).toEqual(['Your password was changed']);
    expect((await userRow(harness, user.id)).version).toBe(1);
  });

  it('cancels changes of phone and email that someone with the old password asked for', async () => {
    const user = await aSubscriber(harness);
    const thiefs = { phone: '+12025550190', email: 'thief-pending@example.com' };
    await setUser(harness, user.id, provenEmail());
    const body = { ...thiefs, current_password: right.old_password };
    await harness.call({ method: 'PUT', url: '/users/me', as: asUser(user.id), body });
    const { version } = await userRow(harness, user.id);
    expect((await change(user.id, right)).statusCode).toBe(200);
    expect((await confirmEmail(harness, thiefs.email)).statusCode).toBe(400);
    await harness.receive('sms.consent.confirmed', {
      ...{ user_id: user.id, recipient_version: version, at: harness.clock.now().toISOString() },
    });
    expect(await userRow(harness, user.id)).toMatchObject({
      ...{ email: user.email, pending_email: null },
      ...{ phone: user.phone, pending_phone: null, phone_proven_at: null },
    });
    const mail = (await harness.mails(user.email)).at(-1);
    expect(mail?.text).toContain('We also canceled a change to your phone or email');
  });

  it('lets no one confirm an unconfirmed email that they changed with the old password', async () => {
    const user = await aSubscriber(harness);
    const email = 'thief-claim@example.com';
    const body = { email, current_password: right.old_password };
    await harness.call({ method: 'PUT', url: '/users/me', as: asUser(user.id), body });
    await change(user.id, right);
    expect((await confirmEmail(harness, email)).statusCode).toBe(400);
    expect(await userRow(harness, user.id)).toMatchObject({ email_proven_at: null });
  });

  it('keeps a number that staff corrected before the first sign-in', async () => {
    const user = await aSubscriber(harness);
    const pending_phone = '+12025550191';
    const password_expires_at = new Date(harness.clock.now().getTime() + 3_600_000);
    await setUser(harness, user.id, { password_expires_at, pending_phone });
    expect((await change(user.id, right)).statusCode).toBe(200);
    expect(await userRow(harness, user.id)).toMatchObject({ pending_phone });
    const mail = (await harness.mails(user.email)).at(-1);
    expect(mail?.text).not.toContain('We also canceled a change to your phone or email');
  });

  it('keeps the link of the signup that confirms the email', async () => {
    const user = await aSubscriber(harness);
    await change(user.id, right);
    expect((await confirmEmail(harness, user.email)).statusCode).toBe(200);
  });

  it('accepts the query too, preferring the body', async () => {
    const user = await aUser(harness);
    const byQuery = `?${new URLSearchParams({ ...right, new_password: 'by query & so' })}`;
    expect((await change(user.id, undefined, 0, byQuery)).statusCode).toBe(200);
    expect(await logIn(user.email, 'by query & so')).toBe(200);
    const body = { old_password: 'by query & so', new_password: 'by body' };
    expect((await change(user.id, body, 1, byQuery)).statusCode).toBe(200);
    expect(await logIn(user.email, 'by body')).toBe(200);
  });

  it('explains a wrong current password, and changes nothing', async () => {
    const user = await aUser(harness);
    const response = await change(user.id, { ...right, old_password: 'wrong' });
    expect([response.statusCode, response.json()]).toEqual([
      422,
      expect.objectContaining({
        detail: 'Your current password is incorrect.',
        code: 'CURRENT_PASSWORD_WRONG',
      }),
    ]);
    expect(await userRow(harness, user.id)).toMatchObject({ session_version: 0 });
    expect(await harness.mails(user.email)).toEqual([]);
  });

  it("slows down guessing, unaffected by strangers' guesses at the login", async () => {
    const user = await aUser(harness);
    for (let tried = 0; tried < 6; tried += 1) await logIn(user.email, 'wrong');
    for (let tried = 0; tried < 5; tried += 1) {
      const wrong = await change(user.id, { ...right, old_password: 'wrong' });
      expect(wrong.statusCode).toBe(422);
    }
    const response = await change(user.id, right);
    expect([response.statusCode, response.json<{ code: string }>().code]).toEqual([
      429,
      'TOO_MANY_TRIES',
    ]);
  });

  it('applies one of several concurrent changes', async () => {
    const user = await aUser(harness);
    const responses = await Promise.all(
      Array.from({ length: 4 }, (_, n) =>
        change(user.id, { ...right, new_password: `battery ${n}` }),
      ),
    );
    const statuses = responses.map((response) => response.statusCode).sort();
    expect(statuses[0]).toBe(200);
    // The others find their session revoked, or the password changed.
    expect(statuses.slice(1).every((status) => status === 401 || status === 422)).toBe(true);
    expect(await userRow(harness, user.id)).toMatchObject({ session_version: 1 });
  });

  it.each<[unknown, string, string]>([
    [undefined, '', 'Please fill in "old_password".'],
    [{}, '', 'Please fill in "old_password".'],
    [{ old_password: 'x' }, '', 'Please fill in "new_password".'],
    [{ ...right, new_password: 'short' }, '', 'Password must be at least 6 characters long'],
    [{ ...right, new_password: 7 }, '', '"new_password" must be of type string.'],
    [
      { ...right, is_active: true },
      '',
      '"is_active" is not a field of this body. Please remove it.',
    ],
    [undefined, '?old_password=x', 'Please fill in "new_password".'],
    [[], '', 'Please send a JSON object.'],
  ])('rejects the body %j with the query "%s"', async (body, query, detail) => {
    const user = await aUser(harness);
    const response = await change(user.id, body, 0, query);
    expect([response.statusCode, response.json<{ detail: string }>().detail]).toEqual([
      400,
      detail,
    ]);
  });

  it('is for signed-in subscribers', async () => {
    const user = await aUser(harness);
    expect((await harness.call({ method: 'POST', url, body: right })).statusCode).toBe(401);
    const asOwner = await harness.call({ method: 'POST', url, as: asAdmin('owner'), body: right });
    expect(asOwner.statusCode).toBe(403);
    expect((await change(user.id, right, 1)).statusCode).toBe(401);
  });
});
