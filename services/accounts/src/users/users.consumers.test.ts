import { randomUUID } from 'node:crypto';
import type { SubscriptionState } from '@daylift/contracts/billing.events';
import type { ReplyCommand, TextSettled } from '@daylift/contracts/sms.events';
import { oneTimeCode } from '@daylift/server/one-time-code';
import { publishedEvents } from '@daylift/testing/published';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { aSignup, aUser, setUser, userRow } from '../../test/factories.ts';
import { asAdmin, asUser, createHarness, type Harness } from '../../test/harness.ts';
import { findLastMessage } from './users.repository.ts';

let harness: Harness;
let id: string;
beforeAll(async () => {
  harness = await createHarness();
});
beforeEach(async () => {
  id = (await aUser(harness)).id;
});
afterAll(() => harness.close());

const row = () => userRow(harness, id);
const publishedSettings = async () =>
  (await publishedEvents(harness.deps.db, 'accounts.settings.changed'))
    .map((event) => event.data as { user_id: string; version: number })
    .filter((data) => data.user_id === id);

describe('billing.subscription.changed', () => {
  const state = (version: number, change: Partial<SubscriptionState> = {}): SubscriptionState => ({
    user_id: id,
    version,
    status: 'trial',
    plan: 'yearly',
    trial_end: null,
    current_period_end: null,
    cancel_at_period_end: false,
    entitled: true,
    entitled_until: null,
    entitled_since: null,
    ...change,
  });
  const receive = (data: SubscriptionState, event?: string) =>
    harness.receive('billing.subscription.changed', data, event);

  it('shows status and plan to operators, from the newest event in any order', async () => {
    await receive(state(2, { status: 'active' }));
    await receive(state(1, { status: 'trial' }));
    expect(await row()).toMatchObject({
      subscription_status: 'active',
      plan: 'yearly',
      version: 1,
    });
  });

  it('shows operators when a plan renews or ends, until it has ended', async () => {
    const current_period_end = '2027-04-06T15:00:00.000Z';
    const listed = async () => {
      const { email } = await row();
      const as = asAdmin('owner');
      return (await harness.call({ url: `/admin/users?search=${email}`, as })).json()[0];
    };
    await receive(state(1, { current_period_end }));
    expect(await listed()).toMatchObject({ period_end: current_period_end, renews: true });
    await receive(state(2, { current_period_end, cancel_at_period_end: true }));
    expect(await listed()).toMatchObject({ period_end: current_period_end, renews: false });
    await receive(state(3, { current_period_end, status: 'canceled' }));
    expect(await listed()).toMatchObject({ period_end: null, renews: false });
  });

  it('shows a second subscriber of one unproven number that it waits for a proof, and a code completes it', async () => {
    const { phone } = await row();
    const second = await aUser(harness, { phone: phone as string });
    await receive(state(1));
    await receive(state(1, { user_id: second.id }));
    expect(await row()).toMatchObject({ consent: 'granted' });
    expect(await userRow(harness, second.id)).toMatchObject({ consent: 'pending', version: 2 });
    const confirm = (body: object) =>
      harness.call({
        method: 'POST',
        url: '/users/me/confirm-phone',
        as: asUser(second.id),
        body,
      });
    await confirm({});
    const requests = await publishedEvents(harness.deps.db, 'accounts.code.requested');
    const { request_id } = requests.at(-1)!.data as { request_id: string };
    expect(
      (await confirm({ code: oneTimeCode(harness.deps.codeKey, request_id) })).statusCode,
    ).toBe(200);
    expect(await userRow(harness, second.id)).toMatchObject({ consent: 'granted' });
    expect(await row()).toMatchObject({ phone: null });
  });

  it('restores no revoked consent through a code', async () => {
    await receive(state(1));
    await setUser(harness, id, { consent: 'revoked' });
    const confirm = (body: object) =>
      harness.call({ method: 'POST', url: '/users/me/confirm-phone', as: asUser(id), body });
    await confirm({});
    const requests = await publishedEvents(harness.deps.db, 'accounts.code.requested');
    const { request_id } = requests.at(-1)!.data as { request_id: string };
    const { statusCode } = await confirm({ code: oneTimeCode(harness.deps.codeKey, request_id) });
    expect(statusCode).toBe(200);
    expect(await row()).toMatchObject({ consent: 'revoked', phone_proven_at: expect.any(Date) });
  });

  it('counts once when delivered twice, and ignores unknown users', async () => {
    const event = randomUUID();
    expect(await receive(state(1), event)).toBe('handled');
    expect(await receive(state(1), event)).toBe('duplicate');
    expect(await receive(state(1, { user_id: randomUUID() }))).toBe('handled');
  });

  it('becomes a failed event if it violates its schema', async () => {
    await expect(receive({ ...state(1), status: 'golden' as never })).rejects.toThrow(
      'does not match its schema',
    );
    expect((await row()).subscription_status).toBe('pending');
  });
});

describe('sms.texts.settled', () => {
  const settle = (change: Partial<TextSettled>) =>
    harness.receive('sms.texts.settled', {
      results: [
        {
          dispatch_id: 'd',
          user_id: id,
          local_date: '2027-03-07',
          batch_id: randomUUID(),
          scheduled_message_id: null,
          outcome: 'accepted',
          reason: null,
          is_test: false,
          settled_at: '2027-03-07T15:00:00.000Z',
          ...change,
        } satisfies TextSettled,
      ],
    });

  it('shows the time of the last text, from events in any order', async () => {
    await settle({ settled_at: '2027-03-08T15:00:00.000Z' });
    await settle({ settled_at: '2027-03-07T15:00:00.000Z' });
    expect(await findLastMessage(harness.deps.db, id)).toEqual(new Date('2027-03-08T15:00:00Z'));
  });

  it('ignores unsent and test texts', async () => {
    for (const outcome of ['skipped', 'missed', 'superseded', 'refused', 'unknown'] as const)
      await settle({ outcome });
    await settle({ is_test: true });
    expect(await findLastMessage(harness.deps.db, id)).toBeNull();
  });
});

describe('STOP and START', () => {
  const stop = (at: string) =>
    harness.receive('sms.recipient.opted_out', { user_id: id, at, source: 'keyword' });
  const start = (at: string) => harness.receive('sms.recipient.opted_in', { user_id: id, at });

  it('are applied in the order they were sent, whatever order they arrive in', async () => {
    await stop('2027-03-07T10:00:00Z');
    expect((await row()).opted_out).toBe(true);
    await start('2027-03-07T12:00:00Z');
    await stop('2027-03-07T11:00:00Z');
    expect((await row()).opted_out).toBe(false);
    await stop('2027-03-07T13:00:00Z');
    const response = await harness.call({ url: '/users/me', as: asUser(id) });
    expect(response.json()).toMatchObject({ opted_out: true, consent: 'granted' });
  });

  it('belong to the number: a new one has its own', async () => {
    await stop('2027-03-07T10:00:00Z');
    const number = (opted_out: boolean, at: string) =>
      harness.receive('sms.recipient.number_changed', { user_id: id, opted_out, at });
    await number(false, '2027-03-07T11:00:00Z');
    expect((await row()).opted_out).toBe(false);
    await number(true, '2027-03-07T12:00:00Z');
    expect((await row()).opted_out).toBe(true);
  });
});

describe('sms.consent.confirmed', () => {
  const confirm = (recipient_version: number) =>
    harness.receive('sms.consent.confirmed', {
      user_id: id,
      recipient_version,
      at: '2027-03-06T16:00:00Z',
    });
  const pendingUser = async () => {
    const form = aSignup();
    delete form.sms_consent;
    const response = await harness.call({ method: 'POST', url: '/subscriptions', body: form });
    id = response.json<{ id: string }>().id;
  };
  const put = (body: unknown) =>
    harness.call({ method: 'PUT', url: '/users/me', as: asUser(id), body });

  it('grants consent, stores the proof and publishes it', async () => {
    await pendingUser();
    await confirm(1);
    expect(await row()).toMatchObject({ consent: 'granted', version: 2 });
    const proofs = await harness.deps.db
      .selectFrom('consents')
      .select(['source', 'given_at', 'wording_version'])
      .where('user_id', '=', id)
      .execute();
    expect(proofs).toEqual([
      { source: 'reply', given_at: new Date('2027-03-06T16:00:00Z'), wording_version: 'reply-1' },
    ]);
    expect(await publishedSettings()).toEqual([
      expect.objectContaining({ version: 1, consent: 'pending' }),
      expect.objectContaining({ version: 2, consent: 'granted' }),
    ]);
  });

  it('counts after a change of other settings, because the number is the same', async () => {
    await pendingUser();
    await put({ delivery_time: '10:00' });
    await confirm(1);
    expect((await row()).consent).toBe('granted');
  });

  it('is ignored for a number that has changed since', async () => {
    await pendingUser();
    const phone = `+1646555${String(Date.now()).slice(-4)}`;
    await put({ phone, current_password: 'correct horse' });
    await confirm(1);
    expect((await row()).consent).toBe('pending');
    await confirm(2);
    expect((await row()).consent).toBe('granted');
  });

  it('stores one proof for two YES replies', async () => {
    await pendingUser();
    await confirm(1);
    await confirm(1);
    expect((await row()).version).toBe(2);
  });
});

describe('sms.setting.requested', () => {
  const requestSetting = (change: ReplyCommand, at = '2027-03-07T04:30:00Z') =>
    harness.receive('sms.setting.requested', { user_id: id, change, at });

  it("pauses for days in the subscriber's time zone, and resumes", async () => {
    // 04:30 UTC on the 7th is still the evening of the 6th in Chicago.
    await requestSetting({ command: 'pause', days: 7 });
    expect(await row()).toMatchObject({ paused_until: '2027-03-13', version: 2 });
    expect((await publishedSettings()).at(-1)).toMatchObject({ paused_until: '2027-03-13' });
    await requestSetting({ command: 'resume' }, '2027-03-07T05:00:00Z');
    expect(await row()).toMatchObject({ paused_until: null, version: 3 });
  });

  it('changes hour and frequency', async () => {
    await requestSetting({ command: 'hour', delivery_hour: 7 });
    await requestSetting({ command: 'frequency', frequency: 'weekly' });
    expect(await row()).toMatchObject({ delivery_hour: 7, frequency: 'weekly', weekday: 7 });
    await requestSetting({ command: 'frequency', frequency: 'daily' });
    expect(await row()).toMatchObject({ frequency: 'daily', weekday: null, version: 4 });
  });

  it('ignores an older request that arrives after a newer one', async () => {
    await requestSetting({ command: 'resume' }, '2027-03-07T06:00:00Z');
    await requestSetting({ command: 'pause', days: 3 }, '2027-03-07T05:00:00Z');
    expect((await row()).paused_until).toBeNull();
  });

  it('ignores a request that arrives after a newer change on the website', async () => {
    const put = (body: object) =>
      harness.call({ method: 'PUT', url: '/users/me', as: asUser(id), body });
    harness.clock.set('2027-03-07T05:00:00Z');
    await put({ delivery_time: '10:00', paused_until: '2027-03-20' });
    await requestSetting({ command: 'hour', delivery_hour: 7 });
    await requestSetting({ command: 'pause', days: 3 });
    await requestSetting({ command: 'frequency', frequency: 'weekly' });
    const current = { delivery_hour: 10, paused_until: '2027-03-20', frequency: 'weekly' };
    expect(await row()).toMatchObject(current);
    // sms-gateway had applied the pause, and learns here that it no longer counts.
    const sent = await publishedEvents(harness.deps.db, 'accounts.recipient.changed');
    expect(sent.map((event) => event.data)).toContainEqual(
      expect.objectContaining({
        ...{ user_id: id, paused_until: '2027-03-20' },
        reply_setting_at: '2027-03-07T04:30:00.000Z',
      }),
    );
    await requestSetting({ command: 'resume' }, '2027-03-07T05:10:00Z');
    expect((await row()).paused_until).toBeNull();
  });

  it('applies a late request although a newer one about another setting came first', async () => {
    await requestSetting({ command: 'hour', delivery_hour: 7 }, '2027-03-07T06:00:00Z');
    await requestSetting({ command: 'frequency', frequency: 'weekly' }, '2027-03-07T05:30:00Z');
    await requestSetting({ command: 'pause', days: 3 }, '2027-03-07T05:00:00Z');
    await requestSetting({ command: 'hour', delivery_hour: 8 }, '2027-03-07T04:00:00Z');
    expect(await row()).toMatchObject({
      ...{ delivery_hour: 7, frequency: 'weekly', paused_until: '2027-03-09' },
    });
  });

  it('ignores deleted users', async () => {
    const request = {
      user_id: randomUUID(),
      change: { command: 'resume' },
      at: '2027-03-07T06:00:00Z',
    };
    expect(await harness.receive('sms.setting.requested', request)).toBe('handled');
  });
});
