import { linkToken, oneTimeCode } from '@daylift/server/one-time-code';
import { publishedEvents } from '@daylift/testing/published';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  aSubscriber,
  confirmEmail,
  linkTokens,
  provenEmail,
  provenPhone,
  setUser,
  userRow,
} from '../../test/factories.ts';
import { asUser, createHarness, type Harness, testStart } from '../../test/harness.ts';
import { cleanupLoop } from '../cleanup.ts';
import { sendCodes } from '../one-time-codes/send-codes.ts';
import type { UserChange } from '../users/users.table.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
});
beforeEach(() => harness.clock.set(testStart));
afterAll(() => harness.close());

const post = (url: string, body: object) => harness.call({ method: 'POST', url, body });
const change = async (id: string, body: object) => {
  harness.clock.advance({ minutes: 1 });
  const response = await harness.call({
    ...{ method: 'PUT', url: '/users/me', as: asUser(id) },
    body: { ...body, current_password: 'correct horse' },
  });
  expect(response.statusCode).toBe(200);
};
const revert = async (token: string) => (await post('/users/revert-change', { token })).statusCode;
const confirmConsent = async (id: string) =>
  harness.receive('sms.consent.confirmed', {
    user_id: id,
    recipient_version: (await userRow(harness, id)).version,
    at: harness.clock.now().toISOString(),
  });
const aProvenSubscriber = async () => {
  const user = await aSubscriber(harness);
  await setUser(harness, user.id, { ...provenEmail(), ...provenPhone() });
  return user;
};
const runLoops = async () => {
  await sendCodes(harness.deps);
  await cleanupLoop(harness.deps).run?.();
};
const revertLinks = (id: string) =>
  harness.deps.db
    .selectFrom('contact_links')
    .select(['id', 'field', 'channel'])
    .where('user_id', '=', id)
    .where('purpose', '=', 'revert')
    .execute();

describe('An expired link that reverts a change', () => {
  it('stays expired when the email changes again', async () => {
    const user = await aProvenSubscriber();
    const [second, third] = [`second-${user.email}`, `third-${user.email}`];
    await change(user.id, { email: second });
    const old = (await linkTokens(harness, user.email)).at(-1) ?? 'none';
    await confirmEmail(harness, second);
    harness.clock.advance({ hours: 150 * 24 });
    await change(user.id, { email: third });
    await confirmEmail(harness, third);
    expect(await revert(old)).toBe(400);
    expect(await userRow(harness, user.id)).toMatchObject({ email: third });
    expect(await revert((await linkTokens(harness, second)).at(-1) ?? 'none')).toBe(200);
    expect(await userRow(harness, user.id)).toMatchObject({ email: second });
  });

  it('stays expired when a later change of the same number takes effect', async () => {
    const user = await aProvenSubscriber();
    await change(user.id, { phone: '+12025550121' });
    const old = (await linkTokens(harness, user.email)).at(-1) ?? 'none';
    await change(user.id, { phone: user.phone });
    const email = `moved-${user.email}`;
    await change(user.id, { email });
    await confirmEmail(harness, email);
    harness.clock.advance({ hours: 80 });
    await change(user.id, { phone: '+12025550122' });
    await confirmConsent(user.id);
    expect(await revert(old)).toBe(400);
    expect(await userRow(harness, user.id)).toMatchObject({ email, phone: '+12025550122' });
  });

  it('is deleted after 30 days, unless a change is pending', async () => {
    const [done, waiting] = [await aProvenSubscriber(), await aProvenSubscriber()];
    for (const { id, email } of [done, waiting]) await change(id, { email: `next-${email}` });
    await confirmEmail(harness, `next-${done.email}`);
    harness.clock.advance({ hours: 72 + 29 * 24 });
    await runLoops();
    expect(await revertLinks(done.id)).toHaveLength(1);
    harness.clock.advance({ hours: 2 * 24 });
    await runLoops();
    expect(await revertLinks(done.id)).toEqual([]);
    expect(await revertLinks(waiting.id)).toHaveLength(1);
  });
});

/** Sets a new password with a code from the account's channel. */
async function recover(login: string, by: 'mail' | 'text') {
  const known = { email_or_phone: login, password: 'a thief came here' };
  await post('/users/set-password', known);
  await runLoops();
  const { request_id, channel } = await harness.deps.db
    .selectFrom('one_time_codes')
    .selectAll()
    .where('closed_at', 'is', null)
    .orderBy('requested_at', 'desc')
    .executeTakeFirstOrThrow();
  expect(channel).toBe(by);
  const code = oneTimeCode(harness.deps.codeKey, request_id);
  expect((await post('/users/set-password', { ...known, code })).statusCode).toBe(200);
}

describe('A recovery', () => {
  it('by email invalidates texted links and keeps mailed ones', async () => {
    const user = await aProvenSubscriber();
    await change(user.id, { phone: '+12025550123' });
    await confirmConsent(user.id);
    const links = await revertLinks(user.id);
    expect(links.map(({ channel }) => channel).sort()).toEqual(['mail', 'text']);
    const texted = links.find(({ channel }) => channel === 'text')?.id ?? 'none';
    await recover(user.email, 'mail');
    expect(await revert(linkToken(harness.deps.codeKey, texted))).toBe(400);
    expect(await revert((await linkTokens(harness, user.email)).at(-1) ?? 'none')).toBe(200);
    expect(await userRow(harness, user.id)).toMatchObject({ phone: user.phone });
  });

  it('by an email newer than the link to the old number keeps that link', async () => {
    const user = await aSubscriber(harness);
    await setUser(harness, user.id, provenPhone());
    await change(user.id, { phone: '+12025550124' });
    const texted = (await revertLinks(user.id))[0]?.id ?? 'none';
    await confirmConsent(user.id);
    const email = `thief-${user.email}`;
    await change(user.id, { email });
    await confirmEmail(harness, email);
    await recover(email, 'mail');
    expect(await revert(linkToken(harness.deps.codeKey, texted))).toBe(200);
    expect(await userRow(harness, user.id)).toMatchObject({ phone: user.phone });
  });

  it('by text after a SIM swap keeps the link with which the owner of the email takes back a change', async () => {
    const user = await aProvenSubscriber();
    const thief = `thief-${user.email}`;
    await change(user.id, { email: thief });
    await confirmEmail(harness, thief);
    const [, link = 'none'] = await linkTokens(harness, user.email);
    await recover(user.phone, 'text');
    expect(await userRow(harness, user.id)).toMatchObject({ email: thief, email_proof: null });
    harness.clock.advance({ hours: 70 });
    expect(await revert(link)).toBe(200);
    expect(await userRow(harness, user.id)).toMatchObject({
      ...{ email: user.email, email_proof: 'link', phone: user.phone, session_version: 2 },
    });
  });

  it('by a phone newer than the link to the old email keeps that link', async () => {
    const user = await aProvenSubscriber();
    await change(user.id, { email: `thief-${user.email}` });
    await confirmEmail(harness, `thief-${user.email}`);
    harness.clock.advance({ minutes: 1 });
    const phone = '+12025550125';
    await change(user.id, { phone });
    await confirmConsent(user.id);
    // A number this new gets a code only if no email is proven.
    await setUser(harness, user.id, { email_proven_at: null, email_proof: null });
    await recover(phone, 'text');
    const [, link = 'none'] = await linkTokens(harness, user.email);
    expect(await revert(link)).toBe(200);
    expect(await userRow(harness, user.id)).toMatchObject({
      ...{ email: user.email, email_proof: 'link', phone: user.phone },
    });
  });
});

describe('A new email where only the phone is proven', () => {
  const linkRequests = async (id: string) =>
    (await publishedEvents(harness.deps.db, 'accounts.code.requested'))
      .map(({ data }) => data as { request_id: string; user_id: string })
      .filter(({ user_id }) => user_id === id);
  const aPhoneUser = async (change: UserChange = {}) => {
    const user = await aSubscriber(harness);
    await setUser(harness, user.id, { ...provenPhone(), ...change });
    return user;
  };

  it.each<[string, UserChange]>([
    ['one that no one has proven', {}],
    ['none', { email: null }],
  ])('is announced by text with a link that brings back %s', async (_what, before) => {
    const user = await aPhoneUser(before);
    const thief = `thief-${user.email}`;
    await change(user.id, { email: thief });
    const { version } = await userRow(harness, user.id);
    const [request, ...others] = await linkRequests(user.id);
    expect(request).toMatchObject({
      ...{ purpose: 'revert', field: 'email', recipient_version: version },
    });
    expect(others).toEqual([]);
    await confirmEmail(harness, thief);
    harness.clock.advance({ hours: 71 });
    const token = linkToken(harness.deps.codeKey, request?.request_id ?? '');
    expect(await revert(token)).toBe(200);
    expect(await userRow(harness, user.id)).toMatchObject({
      ...{ email: before.email === null ? null : user.email, email_proof: null },
      ...{ phone: user.phone, phone_proof: 'reply', session_version: 1 },
    });
  });

  it('is not texted after a STOP, nor where the old email gets the link', async () => {
    const stopped = await aPhoneUser({ opted_out: true });
    const mailed = await aPhoneUser(provenEmail());
    for (const { id, email } of [stopped, mailed]) {
      await change(id, { email: `new-${email}` });
      expect(await linkRequests(id)).toEqual([]);
    }
    expect(await revertLinks(mailed.id)).toMatchObject([{ channel: 'mail' }]);
  });
});
