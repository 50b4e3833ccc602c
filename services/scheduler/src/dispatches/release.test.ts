import { schedulerEvents } from '@daylift/contracts/scheduler.events';
import { publishedEvents } from '@daylift/testing/published';
import { sql } from 'kysely';
import { Value } from 'typebox/value';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { aMessage, aSubscription, aTemplate, change, subscribe } from '../../test/factories.ts';
import { openScheduler, type Scheduler } from '../../test/harness.ts';

let scheduler: Scheduler;
beforeAll(async () => {
  scheduler = await openScheduler();
  return () => scheduler.close();
});
beforeEach(async () => {
  await scheduler.reset('2027-03-05T12:00:00Z');
  await scheduler.receive('content.template.changed', aTemplate({ content: 'From the library' }));
});

const ends = async () =>
  (await scheduler.dispatches()).map((one) => `${one.local_date} ${one.state} ${one.reason}`);

describe('a due text', () => {
  test('is released with its content, windows and the basis of its plan', async () => {
    const { user_id } = await subscribe(scheduler, { delivery_hour: 6 });
    await scheduler.goTo('2027-03-06T11:00:00Z');
    const [release, ...others] = await scheduler.releases();
    expect(others).toEqual([]);
    expect(release).toEqual({
      dispatch_id: expect.stringMatching(/^20270306-[0-9a-f]{32}$/),
      user_id,
      local_date: '2027-03-06',
      kind: 'daily',
      content: 'From the library',
      scheduled_message_id: null,
      due_at: '2027-03-06T11:00:00.000Z',
      windows: [
        { opens_at: '2027-03-06T11:00:00.000Z', closes_at: '2027-03-06T12:00:00.000Z' },
        { opens_at: '2027-03-06T13:00:00.000Z', closes_at: '2027-03-06T14:00:00.000Z' },
      ],
      slot: { timezone: 'America/New_York', delivery_hour: 6, frequency: 'daily', weekday: null },
      batch: {
        id: expect.any(String),
        kind: 'scheduled',
        name: 'Daily texts, Mar 6, 2027, 6:00 AM EST',
        created_at: '2027-03-06T11:00:00.000Z',
      },
    });
    const [row] = await scheduler.dispatches();
    expect(row).toMatchObject({ state: 'released', batch_id: release?.batch.id });
  });

  test('has an id derived from its date, in any process', async () => {
    const { user_id } = await subscribe(scheduler);
    await scheduler.goTo('2027-03-06T14:00:00Z');
    await scheduler.goTo('2027-03-07T14:00:00Z');
    const names = (await scheduler.releases()).map((one) => one.dispatch_id);
    const other = await openScheduler();
    await other.receive('content.template.changed', aTemplate());
    await subscribe(other, { user_id });
    await other.goTo('2027-03-06T14:00:00Z');
    await other.goTo('2027-03-07T14:00:00Z');
    expect((await other.releases()).map((one) => one.dispatch_id)).toEqual(names);
    expect(new Set(names).size).toBe(2);
    await other.close();
  });

  test('is released in events of at most 50, in one batch', async () => {
    await Promise.all(Array.from({ length: 120 }, () => subscribe(scheduler)));
    await scheduler.goTo('2027-03-06T14:00:00Z');
    const events = await publishedEvents(scheduler.db, 'scheduler.dispatches.released');
    const sizes = events.map(({ data }) => {
      expect(Value.Check(schedulerEvents['scheduler.dispatches.released'], data)).toBe(true);
      return (data as { dispatches: unknown[] }).dispatches.length;
    });
    expect(sizes.toSorted()).toEqual([20, 50, 50]);
    expect(new Set((await scheduler.releases()).map((one) => one.batch.id)).size).toBe(1);
  });
});

describe('an ineligible text is skipped with its reason:', () => {
  test.each([
    ['opted out', 'opted_out'],
    ['without consent', 'no_consent'],
    ['switched off', 'delivery_disabled'],
    ['paused', 'paused'],
    ['made inactive after it was planned', 'inactive'],
    ['no longer entitled', 'not_entitled'],
    ['past the end of what was paid', 'not_entitled'],
  ])('%s', async (what, reason) => {
    const settings = await subscribe(scheduler);
    const { user_id } = settings;
    await scheduler.goTo('2027-03-06T13:30:00Z');
    const at = scheduler.clock.now().toISOString();
    const act: Record<string, () => Promise<unknown>> = {
      'opted out': () =>
        scheduler.receive('sms.recipient.opted_out', { user_id, at, source: 'keyword' }),
      'without consent': () => change(scheduler, settings, { consent: 'revoked' }),
      'switched off': () => change(scheduler, settings, { delivery_enabled: false }),
      paused: () => change(scheduler, settings, { paused_until: '2027-03-07' }),
      'made inactive after it was planned': () => change(scheduler, settings, { is_active: false }),
      'no longer entitled': () =>
        scheduler.receive(
          'billing.subscription.changed',
          aSubscription({ user_id, version: 2, entitled: false, status: 'expired' }),
        ),
      'past the end of what was paid': () =>
        scheduler.receive(
          'billing.subscription.changed',
          aSubscription({ user_id, version: 2, entitled_until: '2027-03-06T14:00:00.000Z' }),
        ),
    };
    await act[what]?.();
    await scheduler.goTo('2027-03-06T14:00:00Z');
    expect(await scheduler.releases()).toEqual([]);
    expect(await ends()).toEqual([`2027-03-06 skipped ${reason}`]);
  });

  test("a pause that ends today doesn't hold back today's text", async () => {
    const settings = await subscribe(scheduler);
    await change(scheduler, settings, { paused_until: '2027-03-07' });
    await scheduler.goTo('2027-03-06T14:00:00Z');
    await scheduler.goTo('2027-03-07T14:00:00Z');
    expect((await scheduler.releases()).map((one) => one.local_date)).toEqual(['2027-03-07']);
  });

  test('START after STOP counts, even if delivered in reverse order', async () => {
    const { user_id } = await subscribe(scheduler);
    await scheduler.receive('sms.recipient.opted_in', { user_id, at: '2027-03-05T13:00:00.000Z' });
    await scheduler.receive('sms.recipient.opted_out', {
      user_id,
      at: '2027-03-05T12:30:00.000Z',
      source: 'keyword',
    });
    await scheduler.goTo('2027-03-06T14:00:00Z');
    expect(await scheduler.releases()).toHaveLength(1);
  });

  test('nothing is planned for a deleted user, whatever arrives later', async () => {
    const settings = await subscribe(scheduler);
    await scheduler.goTo('2027-03-06T13:30:00Z');
    await scheduler.receive('accounts.user.deleted', { user_id: settings.user_id });
    await change(scheduler, settings, { delivery_hour: 10 });
    await scheduler.receive(
      'billing.subscription.changed',
      aSubscription({ user_id: settings.user_id, version: 9 }),
    );
    await scheduler.goTo('2027-03-07T16:00:00Z');
    expect(await scheduler.dispatches()).toEqual([]);
    expect(await scheduler.subscriber(settings.user_id)).toMatchObject({
      is_deleted: true,
      timezone: null,
      next_due_at: null,
    });
  });
});

describe('a late text', () => {
  test('is sent within three hours of its slot', async () => {
    await subscribe(scheduler);
    await scheduler.goTo('2027-03-06T16:59:59Z');
    expect(await scheduler.releases()).toHaveLength(1);
  });

  test('is missed after that and never sent the next day', async () => {
    await subscribe(scheduler);
    await scheduler.goTo('2027-03-06T17:00:00Z');
    await scheduler.goTo('2027-03-07T14:00:00Z');
    expect((await scheduler.releases()).map((one) => one.local_date)).toEqual(['2027-03-07']);
    expect((await ends())[0]).toBe('2027-03-06 missed late');
  });

  test('of 06:00 waits from 07:00 for the morning', async () => {
    await subscribe(scheduler, { delivery_hour: 6 });
    await scheduler.goTo('2027-03-06T12:30:00Z');
    expect(await scheduler.releases()).toEqual([]);
    await scheduler.goTo('2027-03-06T13:00:00Z');
    expect((await scheduler.releases())[0]?.windows).toEqual([
      { opens_at: '2027-03-06T13:00:00.000Z', closes_at: '2027-03-06T14:00:00.000Z' },
    ]);
  });

  test('of 02:00 is missed at 03:00, not sent in the night', async () => {
    await subscribe(scheduler, { delivery_hour: 2 });
    await scheduler.goTo('2027-03-06T08:00:00Z');
    expect(await ends()).toEqual(['2027-03-06 missed late']);
  });

  test("after days of outage has a row per date, and only today's is sent", async () => {
    await subscribe(scheduler);
    await scheduler.goTo('2027-03-09T14:20:00Z');
    expect(await ends()).toEqual([
      '2027-03-06 missed late',
      '2027-03-07 missed late',
      '2027-03-08 missed late',
      '2027-03-09 released null',
    ]);
  });
});

describe('content', () => {
  test("is the message of the subscriber's local date, not the operator's", async () => {
    await scheduler.receive(
      'content.message.scheduled',
      aMessage({ scheduled_date: '2027-03-07', content: 'For the seventh' }),
    );
    await subscribe(scheduler, { timezone: 'Asia/Tokyo' });
    await subscribe(scheduler);
    await scheduler.goTo('2027-03-07T00:00:00Z');
    await scheduler.goTo('2027-03-07T14:00:00Z');
    expect((await scheduler.texts()).map((one) => [one.local_date, one.content])).toEqual([
      ['2027-03-07', 'For the seventh'],
      ['2027-03-07', 'For the seventh'],
    ]);
  });

  test("isn't a deleted message or an announcement", async () => {
    const message = aMessage();
    await scheduler.receive('content.message.deleted', { id: message.id, version: 2 });
    await scheduler.receive('content.message.scheduled', message);
    await scheduler.receive(
      'content.message.scheduled',
      aMessage({ category: 'announcement', scheduled_time: '19:00' }),
    );
    await subscribe(scheduler);
    await scheduler.goTo('2027-03-06T14:00:00Z');
    expect((await scheduler.releases()).map((one) => one.content)).toEqual(['From the library']);
  });

  test("from the library isn't repeated to a person until all others were used", async () => {
    for (const n of [2, 3, 4, 5])
      await scheduler.receive('content.template.changed', aTemplate({ content: `Number ${n}` }));
    await scheduler.receive(
      'content.template.changed',
      aTemplate({ content: 'Retired', is_active: false }),
    );
    const one = await subscribe(scheduler);
    const other = await subscribe(scheduler);
    for (let day = 6; day <= 15; day += 1)
      await scheduler.goTo(`2027-03-${String(day).padStart(2, '0')}T14:00:00Z`);
    const of = async (user: string) =>
      (await scheduler.texts())
        .filter((release) => release.user_id === user)
        .map((release) => release.content);
    for (const user of [one.user_id, other.user_id]) {
      const contents = await of(user);
      expect(new Set(contents.slice(0, 5)).size).toBe(5);
      expect(contents.slice(5)).toEqual(contents.slice(0, 5));
      expect(contents).not.toContain('Retired');
    }
  });

  test('that is missing makes the text missed', async () => {
    await scheduler.db.deleteFrom('templates').execute();
    await subscribe(scheduler);
    await scheduler.goTo('2027-03-06T14:00:00Z');
    expect(await ends()).toEqual(['2027-03-06 missed no content']);
  });

  test('is the newest version of a library message', async () => {
    await scheduler.db.deleteFrom('templates').execute();
    const template = aTemplate({ version: 2, content: 'New' });
    await scheduler.receive('content.template.changed', template);
    await scheduler.receive('content.template.changed', {
      ...template,
      version: 1,
      content: 'Old',
    });
    await subscribe(scheduler);
    await scheduler.goTo('2027-03-06T14:00:00Z');
    expect((await scheduler.releases())[0]?.content).toBe('New');
  });
});

describe('partitions of the plan', () => {
  test('are created ahead, and earlier rows move into them', async () => {
    const fresh = await openScheduler();
    await subscribe(fresh);
    fresh.clock.set('2027-03-06T13:00:00Z');
    const [partitions, ...others] = fresh.loops;
    for (const loop of others) await loop.run?.();
    const readPartitions = async () =>
      (
        await sql<{
          home: string;
        }>`select tableoid::regclass::text as home from dispatches`.execute(fresh.db)
      ).rows;
    expect(await readPartitions()).toEqual([{ home: 'dispatches_default' }]);
    await partitions?.run?.();
    expect(await readPartitions()).toEqual([{ home: 'dispatches_2027_03' }]);
    await fresh.close();
  });
});
