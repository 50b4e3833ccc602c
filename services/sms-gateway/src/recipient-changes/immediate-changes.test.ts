import type { Recipient } from '@daylift/contracts/accounts.events';
import type { Identity } from '@daylift/server/identity';
import { eventually } from '@daylift/testing/eventually';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aQueuedText, aSubscriber, asService, asUser } from '../../test/factories.ts';
import { createHarness, type Harness } from '../../test/harness.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
});
afterAll(() => harness.close());

const asAccounts: Identity = { kind: 'service', name: 'accounts' };
const apply = (body: Recipient, as: Identity = asAccounts) =>
  harness.call({
    method: 'POST',
    url: '/internal/recipients',
    as,
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json' },
  });

async function pause({ phone }: { phone: string }): Promise<void> {
  await harness.sandbox.reply(phone, 'PAUSE 3');
  await eventually(
    () =>
      harness.db
        .selectFrom('inbound_texts')
        .select('id')
        .where('from_number', '=', phone)
        .executeTakeFirst(),
    { what: 'the reply' },
  );
}

describe('PAUSE 3', () => {
  it('ends a queued text with its webhook, before accounts has heard of it', async () => {
    const { id, recipient } = await aQueuedText(harness);
    await pause(recipient);
    expect(await harness.send(id)).toBe('ended');
    expect(await harness.text(id)).toMatchObject({ state: 'skipped', reason: 'paused' });
  });

  it('outlasts data from before it, and ends with data from after it', async () => {
    const { id, recipient } = await aQueuedText(harness);
    await pause(recipient);
    await harness.receive('accounts.recipient.changed', { ...recipient, version: 2 });
    const pausedUntil = async () =>
      (
        await harness.db
          .selectFrom('recipients')
          .select('paused_until')
          .where('user_id', '=', recipient.user_id)
          .executeTakeFirstOrThrow()
      ).paused_until;
    expect(await pausedUntil()).toBe('2027-03-12');
    const reply_setting_at = harness.clock.now().toISOString();
    await harness.receive('accounts.recipient.changed', {
      ...recipient,
      version: 3,
      reply_setting_at,
    });
    expect(await pausedUntil()).toBeNull();
    expect(await harness.send(id)).toBe('accepted');
  });
});

describe('POST /internal/recipients', () => {
  it('ends a queued text of a subscriber who switched delivery off, and the late event changes nothing', async () => {
    const { id, recipient } = await aQueuedText(harness);
    const changed = { ...recipient, version: 3, delivery_enabled: false };
    expect((await apply(changed)).statusCode).toBe(204);
    await harness.receive('accounts.recipient.changed', { ...recipient, version: 2 });
    await harness.receive('accounts.recipient.changed', changed);
    expect(await harness.send(id)).toBe('ended');
    expect(await harness.text(id)).toMatchObject({ reason: 'delivery_disabled' });
  });

  it('brings back no one who was deleted', async () => {
    const recipient = await aSubscriber(harness);
    await harness.receive('accounts.user.deleted', { user_id: recipient.user_id });
    expect((await apply({ ...recipient, version: 9 })).statusCode).toBe(204);
    const row = await harness.db
      .selectFrom('recipients')
      .select(['phone', 'is_active'])
      .where('user_id', '=', recipient.user_id)
      .executeTakeFirstOrThrow();
    expect(row).toEqual({ phone: null, is_active: false });
  });

  it('is for accounts alone, and for whole data', async () => {
    const recipient = await aSubscriber(harness);
    for (const as of [asService, asUser(recipient.user_id)])
      expect((await apply({ ...recipient, version: 2 }, as)).statusCode).toBe(403);
    const { phone: _, ...rest } = recipient;
    expect((await apply(rest as Recipient)).statusCode).toBe(400);
  });
});
