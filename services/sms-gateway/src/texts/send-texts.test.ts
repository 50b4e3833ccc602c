import { randomUUID } from 'node:crypto';
import { dayMs } from '@daylift/clock/durations';
import { everyMonth } from '@daylift/database/partitions';
import { eventually } from '@daylift/testing/eventually';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  aDispatch,
  aNumber,
  aQueuedText,
  aSubscriber,
  dispatchId,
  entitlement,
  release,
} from '../../test/factories.ts';
import { createHarness, type Harness } from '../../test/harness.ts';
import { smsFrom } from '../../test/sandbox.ts';
import { processQueue } from '../queue/process-queue.ts';
import { type Mark, markInflight, readDueTexts } from './due-texts.repository.ts';
import { endMissed, markInflightUnknown } from './results.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness({ timeoutMs: 400, leaseMs: 800 });
});
afterAll(() => harness.close());

const settledOf = async (id: string) =>
  (await harness.settled()).filter(({ dispatch_id }) => dispatch_id === id);
const minutesAhead = (minutes: number) =>
  new Date(harness.clock.now().getTime() + minutes * 60_000).toISOString();

describe('the send pipeline', () => {
  it('sends a text once to its recipient with their name, and receipts mark it delivered', async () => {
    const { id, recipient } = await aQueuedText(harness);
    expect(await harness.send(id)).toBe('accepted');
    const row = await harness.reaches(id, 'delivered');
    expect(row).toMatchObject({
      parts: 1,
      cost: '0.00700',
      currency: 'USD',
      to_number: recipient.phone,
    });
    expect(await harness.sandbox.texts(recipient.phone)).toMatchObject([
      { dispatch: id, text: 'Good morning, Ada! Breathe.', id: row.provider_id, retry_count: 0 },
    ]);
    expect(await settledOf(id)).toMatchObject([
      { outcome: 'accepted', reason: null, is_test: false, user_id: recipient.user_id },
    ]);
  });

  it('sends once when ten workers have the same text', async () => {
    const { id, recipient } = await aQueuedText(harness);
    const results = await Promise.all(Array.from({ length: 10 }, () => harness.send(id)));
    expect(results.filter((result) => result === 'accepted')).toHaveLength(1);
    expect(results.filter((result) => result === 'not_mine')).toHaveLength(9);
    expect(await harness.sandbox.texts(recipient.phone)).toHaveLength(1);
  });

  it('returns a text to the queue when its waiting worker stops', async () => {
    const { id } = await aQueuedText(harness);
    const { next_attempt_at } = await harness.text(id);
    const limiter = { ...harness.deps.limiter, take: async () => [] };
    expect(await harness.send(id, { limiter })).toBe('waits');
    expect(await harness.text(id)).toMatchObject({ state: 'queued', attempts: 0, next_attempt_at });
    expect(await harness.send(id)).toBe('accepted');
  });

  it('leaves texts to others when the process of a manual run stops', async () => {
    const { id } = await aQueuedText(harness);
    let takes = 0;
    const take = async () => {
      takes += 1;
      return [];
    };
    const limiter = { ...harness.deps.limiter, take, isLineClosed: () => true };
    const admin = { admin_id: randomUUID(), username: 'ops', ip: '127.0.0.1', request_id: 'r-1' };
    const run = await processQueue({ ...harness.deps, limiter }, admin);
    expect(run.total).toBeGreaterThan(0);
    expect(takes).toBe(0);
    expect(await harness.text(id)).toMatchObject({ state: 'queued', attempts: 0 });
    expect(await harness.send(id)).toBe('accepted');
  });

  it("doesn't mark a text before the provider connection is ready", async () => {
    const { id } = await aQueuedText(harness);
    const before = await harness.text(id);
    const notReady = async () => {
      throw new Error('not ready');
    };
    const provider = { ...harness.deps.provider, prepare: notReady };
    await expect(harness.send(id, { provider })).rejects.toThrow('not ready');
    expect(await harness.text(id)).toEqual(before);
    expect(await harness.send(id)).toBe('accepted');
  });

  it("sends a text once if it's released again, even after it was sent", async () => {
    const recipient = await aSubscriber(harness);
    const dispatch = aDispatch(recipient, harness);
    await release(harness, [dispatch]);
    await release(harness, [dispatch]);
    await harness.send(dispatch.dispatch_id);
    await release(harness, [dispatch]);
    expect(await harness.send(dispatch.dispatch_id)).toBe('not_mine');
    expect(await harness.sandbox.texts(recipient.phone)).toHaveLength(1);
    // A repeated release means the scheduler missed the outcome, so it's published again.
    expect((await settledOf(dispatch.dispatch_id)).map(({ outcome }) => outcome)).toEqual([
      'accepted',
      'accepted',
    ]);
  });

  it('rejects a second text for a local date, under any name', async () => {
    const { id, recipient } = await aQueuedText(harness);
    const second = aDispatch(recipient, harness, { generation: 2 });
    await release(harness, [second]);
    await Promise.all([harness.send(id), harness.send(second.dispatch_id)]);
    expect(await harness.sandbox.texts(recipient.phone)).toHaveLength(1);
    const rows = await harness.textsOf(recipient.user_id);
    expect(rows.map(({ reason }) => reason)).toContain('day_used');
  });

  it('allows an announcement in addition to the daily text', async () => {
    const { id, recipient } = await aQueuedText(harness);
    const extra = aDispatch(recipient, harness, {
      generation: 7,
      kind: 'announcement',
      slot: null,
    });
    await release(harness, [extra]);
    await harness.send(id);
    await harness.send(extra.dispatch_id);
    expect(await harness.sandbox.texts(recipient.phone)).toHaveLength(2);
  });

  it('rejects a dispatch if its id has another date', async () => {
    const recipient = await aSubscriber(harness);
    const dispatch = aDispatch(recipient, harness, {
      dispatch_id: dispatchId(recipient.user_id, '2027-03-10'),
    });
    await expect(release(harness, [dispatch])).rejects.toThrow('id and local_date differ');
  });
});

describe('eligibility is checked right before sending', () => {
  it.each([
    ['opted out', 'opted_out', null],
    ['paused', 'paused', { paused_until: '2027-03-12' }],
    ['switched delivery off', 'delivery_disabled', { delivery_enabled: false }],
    ['was deactivated', 'inactive', { is_active: false }],
    ['withdrew consent', 'no_consent', { consent: 'revoked' as const }],
  ])('a subscriber who %s after the release gets nothing', async (_what, reason, change) => {
    const { id, recipient } = await aQueuedText(harness);
    if (change === null) await stopBy(recipient);
    else
      await harness.receive('accounts.recipient.changed', { ...recipient, version: 2, ...change });
    expect(await harness.send(id)).toBe('ended');
    expect(await harness.sandbox.texts(recipient.phone)).toEqual([]);
    expect(await settledOf(id)).toMatchObject([{ outcome: 'skipped', reason }]);
  });

  async function stopBy({ phone, user_id }: { phone: string; user_id: string }): Promise<void> {
    await harness.sandbox.reply(phone, 'STOP');
    await eventually(async () =>
      (await harness.published<{ user_id: string }>('sms.recipient.opted_out')).some(
        (stop) => stop.user_id === user_id,
      ),
    );
  }

  it('a subscription gets nothing from its expiry on', async () => {
    const { id, recipient } = await aQueuedText(harness);
    const ended = entitlement(recipient.user_id, {
      version: 2,
      entitled_until: harness.clock.now().toISOString(),
    });
    await harness.receive('billing.subscription.changed', ended);
    expect(await harness.send(id)).toBe('ended');
    expect(await settledOf(id)).toMatchObject([{ outcome: 'skipped', reason: 'not_entitled' }]);
  });

  it('a deleted person gets nothing, and their number and name are erased', async () => {
    const { id, recipient } = await aQueuedText(harness);
    await harness.receive('accounts.user.deleted', { user_id: recipient.user_id });
    expect(await harness.send(id)).toBe('ended');
    const rows = JSON.stringify([
      await harness.db.selectFrom('recipients').selectAll().execute(),
      await harness.textsOf(recipient.user_id),
    ]);
    expect(rows).not.toContain(recipient.phone);
    // Late events don't restore the person.
    await harness.receive('accounts.recipient.changed', { ...recipient, version: 9 });
    expect(
      JSON.stringify(await harness.db.selectFrom('recipients').selectAll().execute()),
    ).not.toContain(recipient.phone);
  });

  it.each([
    ['hour', { delivery_hour: 18 }],
    ['weekday', { weekday: 4 }],
    ['frequency', { frequency: 'daily', weekday: null }],
    ['zone', { timezone: 'America/Chicago' }],
  ] as const)('a changed %s cancels the text of the old one', async (_what, change) => {
    const { id, recipient } = await aQueuedText(harness, {
      recipient: { frequency: 'weekly', weekday: 2 },
    });
    await harness.receive('accounts.recipient.changed', { ...recipient, version: 2, ...change });
    expect(await harness.send(id)).toBe('ended');
    expect(await settledOf(id)).toMatchObject([{ outcome: 'superseded' }]);
  });

  it('the day on which a pause ends has a text', async () => {
    const { id, recipient } = await aQueuedText(harness);
    await harness.receive('accounts.recipient.changed', {
      ...recipient,
      version: 2,
      paused_until: '2027-03-09',
    });
    await harness.send(id);
    expect(await harness.sandbox.texts(recipient.phone)).toHaveLength(1);
  });

  it('a changed number gets the queued text', async () => {
    const { id, recipient } = await aQueuedText(harness);
    const phone = aNumber();
    await harness.receive('accounts.recipient.changed', { ...recipient, version: 2, phone });
    await harness.send(id);
    expect(await harness.sandbox.texts(phone)).toHaveLength(1);
    expect(await harness.sandbox.texts(recipient.phone)).toEqual([]);
  });

  it('an older event that arrives later changes nothing', async () => {
    const { id, recipient } = await aQueuedText(harness, { recipient: { version: 5 } });
    await harness.receive('accounts.recipient.changed', {
      ...recipient,
      version: 4,
      is_active: false,
    });
    expect(await harness.send(id)).toBe('accepted');
  });

  it("a text that arrives before the recipient's events waits for them", async () => {
    const recipient = await aSubscriber(harness, { version: 1 });
    await harness.db.deleteFrom('recipients').where('user_id', '=', recipient.user_id).execute();
    const dispatch = aDispatch(recipient, harness);
    await release(harness, [dispatch]);
    expect(await harness.send(dispatch.dispatch_id)).toBe('waits');
    await harness.receive('billing.subscription.changed', entitlement(recipient.user_id));
    await harness.receive('accounts.recipient.changed', recipient);
    await harness.moveTo(new Date(harness.clock.now().getTime() + 6_000));
    expect(await harness.send(dispatch.dispatch_id)).toBe('accepted');
  });
});

describe('send windows', () => {
  it('hold a text until its window opens', async () => {
    const opens_at = minutesAhead(30);
    const { id } = await aQueuedText(harness, {
      dispatch: { windows: [{ opens_at, closes_at: minutesAhead(60) }] },
    });
    expect(await harness.send(id)).toBe('not_mine');
    expect((await harness.text(id)).next_attempt_at.toISOString()).toBe(opens_at);
  });

  it('skip the time between the chosen hour and the next morning', async () => {
    const reopens = minutesAhead(20);
    const { id } = await aQueuedText(harness, {
      dispatch: {
        windows: [
          { opens_at: minutesAhead(-60), closes_at: minutesAhead(-1) },
          { opens_at: reopens, closes_at: minutesAhead(40) },
        ],
      },
    });
    expect(await harness.send(id)).toBe('waits');
    expect((await harness.text(id)).next_attempt_at.toISOString()).toBe(reopens);
  });

  it('expire, and the text is missed with a reason', async () => {
    const { id, recipient } = await aQueuedText(harness, {
      dispatch: { windows: [{ opens_at: minutesAhead(-90), closes_at: minutesAhead(-1) }] },
    });
    expect(await harness.send(id)).toBe('ended');
    expect(await harness.sandbox.texts(recipient.phone)).toEqual([]);
    expect(await settledOf(id)).toMatchObject([{ outcome: 'missed', reason: 'windows_closed' }]);
  });
});

describe('testing mode', () => {
  it('sends a marked text to the test number, depending on the mode right before sending', async () => {
    const { id, recipient } = await aQueuedText(harness);
    const test_phone = aNumber();
    const revision = (
      await harness.db.selectFrom('testing_mode').select('revision').executeTakeFirstOrThrow()
    ).revision;
    await harness.db
      .updateTable('testing_mode')
      .set({ enabled: true, test_phone, revision: revision + 1 })
      .execute();
    try {
      await harness.send(id);
    } finally {
      await harness.db
        .updateTable('testing_mode')
        .set({ enabled: false, revision: revision + 2 })
        .execute();
    }
    expect(await harness.sandbox.texts(recipient.phone)).toEqual([]);
    expect(await harness.sandbox.texts(test_phone)).toMatchObject([
      { text: '[Test] Good morning, Ada! Breathe.' },
    ]);
    expect(await settledOf(id)).toMatchObject([{ outcome: 'accepted', is_test: true }]);
    // The daily limit isn't reached: planned again with its next id, it's sent.
    const second = aDispatch(recipient, harness, { generation: 2 });
    await release(harness, [second]);
    await harness.send(second.dispatch_id);
    expect(await harness.sandbox.texts(recipient.phone)).toHaveLength(1);
  });
});

describe('a worker that dies', () => {
  const lease = (ms: number) => ({
    token: randomUUID(),
    now: harness.clock.now(),
    leaseUntil: new Date(Date.now() + ms),
    isProbe: false,
  });

  async function marksOf(id: string): Promise<Mark[]> {
    const due = await readDueTexts(harness.db, [id], { now: harness.clock.now(), isProbe: false });
    return due.map((one) => ({
      due: one,
      from: smsFrom,
      to: one.recipient!.phone!,
      body: 'x',
      is_test: false,
    }));
  }

  it('after its decision leaves the text to the next; one that wakes up too late sends nothing', async () => {
    const { id, recipient } = await aQueuedText(harness);
    const marks = await marksOf(id);
    expect(marks).toHaveLength(1);
    expect(await harness.send(id)).toBe('accepted');
    expect(await markInflight(harness.db, marks, lease(1_000))).toEqual(new Set());
    expect(await harness.sandbox.texts(recipient.phone)).toHaveLength(1);
  });

  it('during the call leaves an unknown outcome', async () => {
    const { id } = await aQueuedText(harness);
    expect(await markInflight(harness.db, await marksOf(id), lease(50))).toEqual(new Set([id]));
    const later = { now: harness.clock.now(), wall: new Date(Date.now() + 1_000) };
    expect(await markInflightUnknown(harness.db, later)).toBe(1);
    expect(await settledOf(id)).toMatchObject([{ outcome: 'unknown', reason: 'worker_lost' }]);
    expect(await harness.send(id)).toBe('not_mine');
  });

  it('and stays down for months leaves texts that end as missed, and queue polls skip them', async () => {
    const { id } = await aQueuedText(harness);
    const later = new Date(harness.clock.now().getTime() + 100 * dayMs);
    await endMissed(harness.db, later);
    expect(await settledOf(id)).toEqual([]);
    await endMissed(harness.db, later, everyMonth);
    expect(await settledOf(id)).toMatchObject([{ outcome: 'missed' }]);
  });
});
