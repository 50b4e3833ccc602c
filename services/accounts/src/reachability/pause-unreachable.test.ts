import type { Recipient } from '@daylift/contracts/accounts.events';
import type { AdminUser, Me, SignupResponse } from '@daylift/contracts/accounts.http';
import type { UnreachableReason } from '@daylift/contracts/fields';
import type { AdminSubscriber, Timeline } from '@daylift/contracts/timeline.http';
import { publishedEvents } from '@daylift/testing/published';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  aSubscriber,
  codeOf,
  provenEmail,
  provenPhone,
  setUser,
  userRow,
} from '../../test/factories.ts';
import { asAdmin, asUser, createHarness, type Harness } from '../../test/harness.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
  const { parts } = harness;
  parts.billing = async () => null;
  parts.smsGateway = async () => null;
  parts.scheduler = async () => null;
});
afterAll(() => harness.close());

const report = (
  { id }: SignupResponse,
  reason: UnreachableReason = 'landline',
  change: { recipient_version?: number; at?: string } = {},
) =>
  harness.receive('sms.recipient.unreachable', {
    ...{ user_id: id, recipient_version: 1, reason, at: harness.clock.now().toISOString() },
    ...change,
  });
const me = async ({ id }: SignupResponse) =>
  (await harness.call({ url: '/users/me', as: asUser(id) })).json<Me>();
const recipientOf = async ({ id }: SignupResponse) =>
  (await publishedEvents(harness.deps.db, 'accounts.recipient.changed'))
    .map(({ data }) => data as Recipient)
    .findLast(({ user_id }) => user_id === id);
const pauseMails = async ({ email }: SignupResponse) =>
  (await harness.mails(email)).filter(({ key }) => key.startsWith('unreachable:'));
const yes = async ({ id }: SignupResponse, recipient_version = 2) =>
  harness.receive('sms.consent.confirmed', {
    ...{ user_id: id, recipient_version, at: harness.clock.now().toISOString() },
  });

describe('an unreachable number', () => {
  it('pauses texts until a YES, and the account and its sessions stay', async () => {
    const user = await aSubscriber(harness);
    await report(user);
    expect(await recipientOf(user)).toMatchObject({ consent: 'pending', is_active: true });
    expect(await me(user)).toMatchObject({
      consent: 'pending',
      unreachable: { reason: 'landline', number: `+1 ••• ${user.phone.slice(-4)}` },
    });
    await yes(user);
    expect(await recipientOf(user)).toMatchObject({ consent: 'granted', phone_proven: true });
    expect(await me(user)).toMatchObject({ consent: 'granted', unreachable: null });
  });

  it('also stops codes to a proven number, which may have a new owner', async () => {
    const user = await aSubscriber(harness);
    await setUser(harness, user.id, provenPhone());
    await report(user, 'disconnected', { at: '2100-01-01T00:00:00.000Z' });
    const url = '/users/me/contact-code';
    const response = await harness.call({ method: 'POST', url, as: asUser(user.id) });
    expect(codeOf(response)).toBe('NO_CONFIRMED_ADDRESS');
  });

  it('can be asked again from the dashboard', async () => {
    const user = await aSubscriber(harness);
    await report(user);
    const url = '/users/me/consent-request';
    const response = await harness.call({ method: 'POST', url, as: asUser(user.id) });
    expect(response.statusCode).toBe(202);
  });

  it('gets an immediate request for YES only if it may have a new owner and no other number is pending', async () => {
    const [silent, broken, moving] = [
      await aSubscriber(harness),
      await aSubscriber(harness),
      await aSubscriber(harness),
    ];
    await setUser(harness, moving.id, { pending_phone: '+13125550188' });
    await report(silent, 'inactive');
    await report(broken, 'disconnected');
    await report(moving, 'inactive');
    const requests = (await publishedEvents(harness.deps.db, 'accounts.consent.asked'))
      .map(({ data }) => data as { user_id: string })
      .filter(({ user_id }) => [silent.id, broken.id, moving.id].includes(user_id));
    expect(requests).toMatchObject([{ user_id: silent.id, recipient_version: 2, by_system: true }]);
    expect(await pauseMails(silent)).toMatchObject([
      { subject: 'Please confirm your phone number' },
    ]);
  });

  it('is emailed once, with details only to a confirmed address', async () => {
    const [known, other] = [await aSubscriber(harness), await aSubscriber(harness)];
    await setUser(harness, known.id, provenEmail());
    for (const user of [known, other]) {
      await report(user);
      await report(user, 'undelivered');
    }
    expect(await pauseMails(known)).toMatchObject([
      {
        subject: "We can't reach your phone",
        text: expect.stringContaining(
          `We can't reach +1 ••• ${known.phone.slice(-4)}. It seems to be a landline`,
        ),
      },
    ]);
    const [mail, ...more] = await pauseMails(other);
    expect(more).toEqual([]);
    expect(mail?.text).toContain("We can't reach your number. Your");
    expect(mail?.text).toContain('Your plan continues and is billed as usual.');
    for (const detail of [other.phone.slice(-4), 'landline', 'Ada'])
      expect(mail?.text).not.toContain(detail);
  });

  it('is resolved by another number', async () => {
    const user = await aSubscriber(harness);
    await report(user);
    const body = { phone: '+13125559876', current_password: 'correct horse' };
    const changed = await harness.call({
      ...{ method: 'PUT' as const, url: '/users/me', as: asUser(user.id), body },
    });
    expect(changed.statusCode).toBe(200);
    await yes(user, (await userRow(harness, user.id)).version);
    expect(await me(user)).toMatchObject({
      ...{ phone: '+13125559876', consent: 'granted', unreachable: null },
    });
  });

  it.each([
    [
      'an earlier number',
      async (user: SignupResponse) => {
        await setUser(harness, user.id, { phone_since_version: 2, version: 2 });
        await report(user);
      },
    ],
    [
      'before the number was confirmed',
      async (user: SignupResponse) => {
        await setUser(harness, user.id, provenPhone());
        await report(user, 'landline', { at: '2020-01-01T00:00:00.000Z' });
      },
    ],
  ])('is ignored if the report is about %s', async (_, apply) => {
    const user = await aSubscriber(harness);
    await apply(user);
    expect(await me(user)).toMatchObject({ consent: 'granted', unreachable: null });
    expect(await pauseMails(user)).toEqual([]);
  });

  it('is in the list by its own filter, and the page and the timeline say why', async () => {
    const [user, waiting] = [
      await aSubscriber(harness),
      await aSubscriber(harness, { sms_consent: false }),
    ];
    await report(user, 'undelivered');
    for (const role of ['owner', 'viewer'] as const) {
      const list = await harness.call({
        ...{ url: '/admin/users?delivery=unreachable&limit=500', as: asAdmin(role) },
      });
      const ids = list.json<AdminUser[]>().map(({ id }) => id);
      expect(ids).toContain(user.id);
      expect(ids).not.toContain(waiting.id);
      expect(list.json<AdminUser[]>().every(({ unreachable }) => unreachable !== null)).toBe(true);
    }
    const as = asAdmin('owner');
    const page = await harness.call({ url: `/admin/users/${user.id}`, as });
    expect(page.json<AdminSubscriber>()).toMatchObject({
      ...{ unreachable: 'undelivered', unreachable_since: harness.clock.now().toISOString() },
    });
    const timeline = await harness.call({ url: `/admin/users/${user.id}/timeline`, as });
    expect(timeline.json<Timeline>().entries.map(({ title }) => title)).toContain(
      'Texts paused: three texts in a row failed',
    );
  });

  it('is in the data export', async () => {
    for (const part of ['billing', 'scheduler', 'smsGateway'] as const)
      harness.parts[part] = async () => ({});
    const user = await aSubscriber(harness);
    await report(user);
    const data = await harness.call({ url: '/users/me/export', as: asUser(user.id) });
    expect(data.json()).toMatchObject({
      account: {
        unreachable: { reason: 'landline' },
        unreachable_since: harness.clock.now().toISOString(),
      },
    });
  });
});
