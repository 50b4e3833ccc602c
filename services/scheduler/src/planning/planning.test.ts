import { hourMs } from '@daylift/clock/durations';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { aSubscription, aTemplate, change, someSettings, subscribe } from '../../test/factories.ts';
import { openScheduler, type Scheduler } from '../../test/harness.ts';
import { releaseDue } from '../dispatches/release.actions.ts';
import { planDueSubscribers } from './planner.loop.ts';

let scheduler: Scheduler;
beforeAll(async () => {
  scheduler = await openScheduler();
  return () => scheduler.close();
});
beforeEach(async () => {
  await scheduler.reset('2027-03-05T12:00:00Z');
  await scheduler.receive('content.template.changed', aTemplate());
});

/** Returns local dates and due instants of releases. */
const sent = async () =>
  (await scheduler.releases()).map((one) => `${one.local_date} ${one.due_at.slice(0, 16)}`);
const hours = (from: string, count: number) =>
  Array.from({ length: count }, (_, hour) =>
    new Date(Date.parse(from) + hour * hourMs).toISOString(),
  );
/** Lives through this many hours, with each text accepted. */
const live = (from: string, count: number) =>
  scheduler.pass({ from, to: hours(from, count).at(-1)!, stepMs: hourMs });

describe('a daily subscriber', () => {
  test('gets the first text the day after becoming entitled, then one each day', async () => {
    await subscribe(scheduler);
    await live('2027-03-05T12:00:00Z', 72);
    expect(await sent()).toEqual(['2027-03-06 2027-03-06T14:00', '2027-03-07 2027-03-07T14:00']);
  });

  test('keeps the hour when clocks change', async () => {
    await subscribe(scheduler, { delivery_hour: 2 });
    await live('2027-03-13T00:00:00Z', 60);
    expect((await sent()).slice(-3)).toEqual([
      '2027-03-13 2027-03-13T07:00',
      '2027-03-14 2027-03-14T07:00',
      '2027-03-15 2027-03-15T06:00',
    ]);
  });

  test('gets one text in a repeated hour, at its first occurrence', async () => {
    await subscribe(scheduler, { delivery_hour: 1 });
    await live('2027-11-06T00:00:00Z', 60);
    expect((await sent()).slice(-3)).toEqual([
      '2027-11-06 2027-11-06T05:00',
      '2027-11-07 2027-11-07T05:00',
      '2027-11-08 2027-11-08T06:00',
    ]);
  });

  test('is planned in any order of events from accounts and billing', async () => {
    const settings = someSettings();
    await scheduler.receive(
      'billing.subscription.changed',
      aSubscription({ user_id: settings.user_id }),
    );
    await scheduler.receive('accounts.settings.changed', settings);
    expect(await scheduler.subscriber(settings.user_id)).toMatchObject({
      first_local_date: '2027-03-06',
      next_local_date: '2027-03-06',
      next_due_at: new Date('2027-03-06T14:00:00Z'),
    });
  });

  test('has a first date in their time zone', async () => {
    const settings = await subscribe(
      scheduler,
      { timezone: 'Asia/Tokyo' },
      { entitled_since: '2027-03-05T16:00:00.000Z' },
    );
    expect(await scheduler.subscriber(settings.user_id)).toMatchObject({
      first_local_date: '2027-03-07',
    });
  });

  test('always has the same position within the spread of an hour', async () => {
    const spread = await openScheduler({ spreadMs: 600_000 });
    const due = new Set<string>();
    for (const end of ['00000000', '7fffffff', 'ffffffff']) {
      const user_id = `3f1c2d44-0000-4000-8000-0000${end}`;
      await subscribe(spread, { user_id });
      due.add((await spread.subscriber(user_id)).next_due_at?.toISOString() ?? '');
    }
    expect([...due]).toEqual([
      '2027-03-06T14:00:00.000Z',
      '2027-03-06T14:04:59.000Z',
      '2027-03-06T14:09:59.000Z',
    ]);
    await spread.close();
  });
});

test('texts of a later hour are planned after the due ones are released, those of the next hour immediately', async () => {
  const [due, soon, later] = [
    await subscribe(scheduler, { delivery_hour: 9 }),
    await subscribe(scheduler, { delivery_hour: 10 }),
    await subscribe(scheduler, { delivery_hour: 11 }),
  ];
  await scheduler.goTo('2027-03-06T12:00:00Z');
  scheduler.clock.set('2027-03-06T14:00:00Z');
  const planned = async () => (await scheduler.dispatches()).map(({ user_id }) => user_id);
  expect(await planned()).toEqual([due.user_id]);
  while ((await planDueSubscribers(scheduler.deps)) > 0);
  expect(new Set(await planned())).toEqual(new Set([due.user_id, soon.user_id]));
  while ((await releaseDue(scheduler.deps)).claimed > 0);
  while ((await planDueSubscribers(scheduler.deps)) > 0);
  expect(await planned()).toContain(later.user_id);
});

describe('a weekly subscriber', () => {
  test('gets the first text the next day, then every seven days on that weekday', async () => {
    await subscribe(scheduler, { frequency: 'weekly' });
    await live('2027-03-05T12:00:00Z', 16 * 24);
    expect(await sent()).toEqual([
      '2027-03-06 2027-03-06T14:00',
      '2027-03-13 2027-03-13T14:00',
      '2027-03-20 2027-03-20T13:00',
    ]);
  });

  test('gets the next text on a newly chosen weekday', async () => {
    const settings = await subscribe(scheduler, { frequency: 'weekly' });
    await live('2027-03-06T00:00:00Z', 20);
    await change(scheduler, settings, { weekday: 2 });
    await live('2027-03-06T20:00:00Z', 14 * 24);
    expect((await sent()).slice(1)).toEqual([
      '2027-03-09 2027-03-09T14:00',
      '2027-03-16 2027-03-16T13:00',
    ]);
  });

  test('keeps the weekday when moving around the world', async () => {
    const settings = await subscribe(scheduler, { frequency: 'weekly' });
    await live('2027-03-06T00:00:00Z', 20);
    await change(scheduler, settings, { timezone: 'Pacific/Auckland' });
    expect(await scheduler.subscriber(settings.user_id)).toMatchObject({
      next_local_date: '2027-03-13',
    });
  });
});

describe('changed settings', () => {
  test('before the text was sent move it to the new hour if that is still ahead', async () => {
    const settings = await subscribe(scheduler);
    await scheduler.goTo('2027-03-06T13:00:00Z');
    expect(await scheduler.dispatches()).toHaveLength(1);
    await change(scheduler, settings, { delivery_hour: 11 });
    await live('2027-03-06T13:00:00Z', 8);
    expect(await sent()).toEqual(['2027-03-06 2027-03-06T16:00']);
  });

  test('to an hour that has passed wait for tomorrow', async () => {
    const settings = await subscribe(scheduler);
    await scheduler.goTo('2027-03-06T13:30:00Z');
    await change(scheduler, settings, { delivery_hour: 8 });
    await live('2027-03-06T14:00:00Z', 24);
    expect(await sent()).toEqual(['2027-03-07 2027-03-07T13:00']);
  });

  test("after the text was sent don't affect today", async () => {
    const settings = await subscribe(scheduler);
    await live('2027-03-06T13:00:00Z', 3);
    await change(scheduler, settings, { delivery_hour: 20 });
    await live('2027-03-06T16:00:00Z', 24);
    expect(await sent()).toEqual(['2027-03-06 2027-03-06T14:00']);
    expect(await scheduler.subscriber(settings.user_id)).toMatchObject({
      next_local_date: '2027-03-07',
      next_due_at: new Date('2027-03-08T01:00:00Z'),
    });
  });

  test('while not entitled move the text too, if the new hour is ahead once they may get texts again', async () => {
    const settings = await subscribe(scheduler);
    const { user_id } = settings;
    await scheduler.goTo('2027-03-06T12:05:00Z');
    const ended = { user_id, version: 2, entitled: false };
    await scheduler.receive('billing.subscription.changed', aSubscription(ended));
    await change(scheduler, settings, { delivery_hour: 8 });
    await scheduler.receive('billing.subscription.changed', aSubscription({ user_id, version: 3 }));
    await live('2027-03-06T13:00:00Z', 25);
    expect(await sent()).toEqual(['2027-03-06 2027-03-06T13:00', '2027-03-07 2027-03-07T13:00']);
  });

  test("that don't affect the plan keep the planned text", async () => {
    const settings = await subscribe(scheduler);
    await scheduler.goTo('2027-03-06T13:00:00Z');
    const [before] = await scheduler.dispatches();
    await change(scheduler, settings, { paused_until: '2027-03-06', weekday: 3 });
    expect(await scheduler.dispatches()).toEqual([before]);
  });

  test('that are outdated change nothing', async () => {
    const settings = await subscribe(scheduler);
    await scheduler.receive('accounts.settings.changed', {
      ...settings,
      version: 3,
      delivery_hour: 12,
    });
    await scheduler.receive('accounts.settings.changed', {
      ...settings,
      version: 2,
      delivery_hour: 7,
    });
    expect(await scheduler.subscriber(settings.user_id)).toMatchObject({ delivery_hour: 12 });
  });

  test('that are repeated are applied once', async () => {
    const settings = someSettings();
    const id = crypto.randomUUID();
    expect(await scheduler.receive('accounts.settings.changed', settings, id)).toBe('handled');
    expect(await scheduler.receive('accounts.settings.changed', settings, id)).toBe('duplicate');
  });

  test('that violate their schema are rejected as poison', async () => {
    await expect(
      scheduler.receive('accounts.settings.changed', { ...someSettings(), delivery_hour: 24 }),
    ).rejects.toThrow('does not match its schema');
  });
});

describe('a move', () => {
  test('to the west never sends a date twice', async () => {
    const settings = await subscribe(
      scheduler,
      { timezone: 'Pacific/Auckland' },
      { entitled_since: '2027-03-05T10:00:00.000Z' },
    );
    await live('2027-03-05T12:00:00Z', 33);
    expect(await sent()).toEqual(['2027-03-06 2027-03-05T20:00', '2027-03-07 2027-03-06T20:00']);
    await change(scheduler, settings, { timezone: 'America/Los_Angeles', delivery_hour: 14 });
    await live('2027-03-06T21:00:00Z', 60);
    expect((await sent()).slice(2)).toEqual(['2027-03-08 2027-03-08T22:00']);
  });

  test('to the east skips at most the date whose hour is skipped', async () => {
    const settings = await subscribe(scheduler, {
      timezone: 'America/Los_Angeles',
      delivery_hour: 20,
    });
    await live('2027-03-07T00:00:00Z', 6);
    expect(await sent()).toEqual(['2027-03-06 2027-03-07T04:00']);
    await change(scheduler, settings, { timezone: 'Pacific/Auckland', delivery_hour: 9 });
    await live('2027-03-07T06:00:00Z', 24);
    expect((await sent()).slice(1)).toEqual(['2027-03-08 2027-03-07T20:00']);
  });

  test('back and forth within a day leaves one text per date', async () => {
    let settings = await subscribe(scheduler);
    for (const [hour, now] of hours('2027-03-06T00:00:00Z', 96).entries()) {
      await scheduler.goTo(now);
      await scheduler.answerAll();
      if (hour % 7 !== 0) continue;
      const zones = ['Pacific/Auckland', 'Pacific/Honolulu', 'Europe/London', 'Asia/Kolkata'];
      settings = await change(scheduler, settings, {
        timezone: zones[(hour / 7) % 4] ?? 'UTC',
        delivery_hour: (hour * 5) % 24,
      });
    }
    const dates = (await scheduler.releases()).map((one) => one.local_date);
    expect(dates.length).toBeGreaterThan(0);
    expect(new Set(dates).size).toBe(dates.length);
    expect(dates).toEqual(dates.toSorted());
  });
});

describe('concurrency', () => {
  test('four planners and releasers plan and release everyone once', async () => {
    const people = await Promise.all(Array.from({ length: 230 }, () => subscribe(scheduler)));
    scheduler.clock.set('2027-03-06T14:00:00Z');
    await Promise.all(
      Array.from({ length: 4 }, async () => {
        while ((await planDueSubscribers(scheduler.deps)) > 0);
      }),
    );
    await Promise.all(
      Array.from({ length: 4 }, async () => {
        while ((await releaseDue(scheduler.deps)).claimed > 0);
      }),
    );
    await scheduler.settle();
    const releases = await scheduler.releases();
    expect(releases).toHaveLength(230);
    expect(new Set(releases.map((one) => one.user_id)).size).toBe(people.length);
    expect(new Set(releases.map((one) => one.batch.id)).size).toBe(1);
    expect(releases[0]?.batch.name).toBe('Daily texts, Mar 6, 2027, 9:00 AM EST');
  });

  test('a date with a row is never planned twice', async () => {
    const { user_id } = await subscribe(scheduler);
    await live('2027-03-06T13:00:00Z', 3);
    // As after restoring only the subscribers.
    await scheduler.db
      .updateTable('subscribers')
      .set({ next_local_date: '2027-03-06', next_due_at: new Date('2027-03-06T14:00:00Z') })
      .where('user_id', '=', user_id)
      .execute();
    await scheduler.settle();
    expect(await sent()).toHaveLength(1);
    expect(await scheduler.subscriber(user_id)).toMatchObject({ next_local_date: '2027-03-07' });
  });

  test('the plan returns the next instant with work', async () => {
    await subscribe(scheduler);
    const next = async () => {
      const all = await Promise.all(scheduler.loops.map((loop) => loop.nextAt?.() ?? null));
      return all.filter((at) => at !== null).sort((a, b) => a.getTime() - b.getTime())[0];
    };
    expect(await next()).toEqual(new Date('2027-03-06T14:00:00Z'));
    await scheduler.goTo('2027-03-06T13:00:00Z');
    expect(await next()).toEqual(new Date('2027-03-06T14:00:00Z'));
    await scheduler.goTo('2027-03-06T14:00:00Z');
    expect(await next()).toEqual(new Date('2027-03-07T14:00:00Z'));
  });
});
