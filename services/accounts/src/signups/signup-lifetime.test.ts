import { hourMs } from '@daylift/clock/durations';
import { publishedEvents } from '@daylift/testing/published';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { aSubscriber, aUser, confirmEmail, userRow } from '../../test/factories.ts';
import { createHarness, type Harness, testStart } from '../../test/harness.ts';
import { expireSignupsLoop } from './expire-signups.loop.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
});
beforeEach(() => harness.clock.set(testStart));
afterAll(() => harness.close());

const exists = async (id: string) =>
  (await harness.deps.db.selectFrom('users').select('id').where('id', '=', id).execute()).length >
  0;
const confirmConsent = async (id: string) =>
  harness.receive('sms.consent.confirmed', {
    user_id: id,
    recipient_version: (await userRow(harness, id)).version,
    at: harness.clock.now().toISOString(),
  });
const lastDeleted = async () =>
  (await publishedEvents(harness.deps.db, 'accounts.user.deleted')).at(-1)?.data;

describe('An unpaid signup', () => {
  const expire = () => expireSignupsLoop(harness.deps).run?.();
  const open = (user_id: string, hours: number) =>
    harness.receive('billing.checkout.opened', {
      user_id,
      expires_at: new Date(harness.clock.now().getTime() + hours * hourMs).toISOString(),
    });

  it('stays while its checkout is open, plus an hour for a late payment', async () => {
    const user = await aUser(harness);
    harness.clock.advance({ hours: 23.9 });
    await open(user.id, 24);
    await open(user.id, 1);
    harness.clock.advance({ hours: 24.5 });
    await expire();
    expect(await exists(user.id)).toBe(true);
    harness.clock.advance({ hours: 0.6 });
    await expire();
    expect(await exists(user.id)).toBe(false);
    expect(await lastDeleted()).toEqual({ user_id: user.id, expired: true });
  });

  it('has no end once it is confirmed', async () => {
    const user = await aUser(harness);
    await confirmEmail(harness, user.email);
    await open(user.id, 1);
    expect(await userRow(harness, user.id)).toMatchObject({ expires_at: null });
  });

  it('expires 49 hours after signup, however often its checkout is reopened', async () => {
    const user = await aUser(harness);
    for (const hours of [23, 23, 2]) {
      harness.clock.advance({ hours });
      await open(user.id, 24);
      await expire();
      expect(await exists(user.id)).toBe(true);
    }
    harness.clock.advance({ hours: 1 });
    await expire();
    expect(await exists(user.id)).toBe(false);
  });

  it('expires when it loses both addresses, because no one could sign in', async () => {
    const user = await aUser(harness);
    await confirmEmail(harness, user.email, true);
    expect(await exists(user.id)).toBe(true);
    const holder = await aSubscriber(harness, { phone: user.phone });
    await confirmConsent(holder.id);
    expect([await exists(user.id), await exists(holder.id)]).toEqual([false, true]);
    expect(await lastDeleted()).toEqual({ user_id: user.id, expired: true });
  });

  it('stays without addresses once it is paid', async () => {
    const paid = await aSubscriber(harness);
    await confirmEmail(harness, paid.email, true);
    const holder = await aSubscriber(harness, { phone: paid.phone });
    await confirmConsent(holder.id);
    expect(await userRow(harness, paid.id)).toMatchObject({ email: null, phone: null });
  });
});
