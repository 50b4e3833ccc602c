import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { aMessage, aTemplate, change, subscribe } from '../../test/factories.ts';
import { asAdmin, openScheduler, type Release, type Scheduler } from '../../test/harness.ts';

let scheduler: Scheduler;
beforeAll(async () => {
  scheduler = await openScheduler();
  return () => scheduler.close();
});
beforeEach(async () => {
  await scheduler.reset('2027-03-05T12:00:00Z');
  await scheduler.receive('content.template.changed', aTemplate());
});

async function releaseOne(): Promise<{
  release: Release;
  settings: Awaited<ReturnType<typeof subscribe>>;
}> {
  const settings = await subscribe(scheduler);
  await scheduler.goTo('2027-03-06T14:00:00Z');
  const release = (await scheduler.releases())[0];
  if (release === undefined) throw new Error('Nothing was released');
  return { release, settings };
}
const states = async () =>
  (await scheduler.dispatches()).map((one) => `${one.local_date} ${one.state}`);

describe('an outcome from sms-gateway', () => {
  test.each(['accepted', 'skipped', 'missed', 'refused', 'unknown'] as const)(
    '%s is stored with its reason and instant',
    async (outcome) => {
      const { release } = await releaseOne();
      scheduler.clock.advance({ seconds: 5 });
      await scheduler.answer(release, outcome, { reason: 'because' });
      expect((await scheduler.dispatches())[0]).toMatchObject({
        state: outcome,
        reason: 'because',
        settled_at: new Date('2027-03-06T14:00:05Z'),
      });
    },
  );

  test.each([
    ['unknown', 'accepted', 'accepted'],
    ['unknown', 'refused', 'refused'],
    ['unknown', 'missed', 'missed'],
    ['accepted', 'unknown', 'accepted'],
    ['accepted', 'missed', 'missed'],
    ['accepted', 'refused', 'refused'],
    ['accepted', 'skipped', 'skipped'],
    ['skipped', 'missed', 'skipped'],
    ['refused', 'accepted', 'accepted'],
  ] as const)('%s, then later %s, leaves it %s', async (first, second, left) => {
    const { release } = await releaseOne();
    await scheduler.answer(release, first);
    scheduler.clock.advance({ seconds: 1 });
    await scheduler.answer(release, second);
    expect(await states()).toEqual([`2027-03-06 ${left}`]);
  });

  test.each([
    ['unknown', 'accepted', 'accepted'],
    ['accepted', 'missed', 'missed'],
    ['accepted', 'refused', 'refused'],
    ['accepted', 'skipped', 'skipped'],
    ['missed', 'accepted', 'accepted'],
  ] as const)(
    '%s, then later %s, leaves it %s in any order of arrival and in one event',
    async (first, second, left) => {
      const { release } = await releaseOne();
      const times = ['2027-03-06T21:00:10Z', '2027-03-06T21:00:20Z'];
      const [one, other] = [first, second].map((outcome, index) => {
        scheduler.clock.set(times[index] ?? '');
        return scheduler.settledEvent(release, outcome);
      });
      await scheduler.receive('sms.texts.settled', { results: [other!, one!] });
      expect(await states()).toEqual([`2027-03-06 ${left}`]);
      await scheduler.receive('sms.texts.settled', { results: [other!] });
      await scheduler.receive('sms.texts.settled', { results: [one!] });
      expect(await states()).toEqual([`2027-03-06 ${left}`]);
    },
  );

  test.each(['unknown', 'missed', 'refused', 'skipped', 'superseded'] as const)(
    '%s, dated before accepted but arriving later, leaves it accepted',
    async (outcome) => {
      const { release } = await releaseOne();
      scheduler.clock.set('2027-03-06T14:00:20Z');
      await scheduler.answer(release, 'accepted');
      scheduler.clock.set('2027-03-06T14:00:10Z');
      await scheduler.answer(release, outcome);
      expect(await states()).toEqual(['2027-03-06 accepted']);
    },
  );

  test.each(['missed', 'refused', 'skipped'] as const)(
    'accepted, dated before %s but arriving later, leaves it %s',
    async (outcome) => {
      const { release } = await releaseOne();
      scheduler.clock.set('2027-03-06T14:00:20Z');
      await scheduler.answer(release, outcome);
      scheduler.clock.set('2027-03-06T14:00:10Z');
      await scheduler.answer(release, 'accepted');
      expect(await states()).toEqual([`2027-03-06 ${outcome}`]);
    },
  );

  test('of an unknown text changes nothing', async () => {
    const { release } = await releaseOne();
    await scheduler.answer({ ...release, dispatch_id: `20270306-${'0'.repeat(32)}` }, 'accepted');
    expect(await states()).toEqual(['2027-03-06 released']);
  });

  test('that is repeated is applied once', async () => {
    const { release } = await releaseOne();
    await scheduler.answer(release, 'accepted');
    await scheduler.answer(release, 'accepted');
    expect(await states()).toEqual(['2027-03-06 accepted']);
  });
});

describe('a text to the test number', () => {
  test("at its own hour isn't repeated, and doesn't count toward the daily limit", async () => {
    const { release, settings } = await releaseOne();
    await scheduler.answer(release, 'accepted', { is_test: true });
    await scheduler.goTo('2027-03-06T23:00:00Z');
    expect(await states()).toEqual(['2027-03-06 accepted']);
    expect(await scheduler.subscriber(settings.user_id)).toMatchObject({
      next_local_date: '2027-03-07',
    });
  });

  test('before its hour, by a manual send, is sent at its hour, whenever that was planned', async () => {
    const settings = await subscribe(scheduler, { delivery_hour: 11 });
    await scheduler.goTo('2027-03-06T15:00:00Z');
    const message = aMessage();
    await scheduler.receive('content.message.scheduled', message);
    scheduler.deps.manualSendWaitMs = 50;
    const url = `/admin/scheduled-messages/${message.id}/send-now`;
    await scheduler.call('POST', url, asAdmin('operator'));
    const [tested] = await scheduler.releases();
    await scheduler.answer(tested!, 'accepted', { is_test: true });
    await scheduler.goTo('2027-03-06T16:00:00Z');
    const [, real] = await scheduler.releases();
    expect(real).toMatchObject({
      user_id: settings.user_id,
      local_date: '2027-03-06',
      due_at: '2027-03-06T16:00:00.000Z',
    });
    expect(real!.dispatch_id).not.toBe(tested!.dispatch_id);
  });
});

test.each([
  ['skipped', 'frozen_skipped'],
  ['missed', 'windows_closed'],
] as const)(
  'a manual send that was %s leaves the text of an hour still ahead, whenever that was planned',
  async (outcome, reason) => {
    for (const delivery_hour of [11, 20]) await subscribe(scheduler, { delivery_hour });
    await scheduler.goTo('2027-03-06T15:00:00Z');
    const message = aMessage({ scheduled_date: '2027-03-09' });
    await scheduler.receive('content.message.scheduled', message);
    scheduler.deps.manualSendWaitMs = 50;
    const url = `/admin/scheduled-messages/${message.id}/send-now`;
    await scheduler.call('POST', url, asAdmin('operator'));
    const manual = await scheduler.texts();
    for (const one of manual) await scheduler.answer(one, outcome, { reason });
    for (const at of ['2027-03-06T16:00:00Z', '2027-03-07T01:00:00Z']) await scheduler.goTo(at);
    const usual = (await scheduler.texts()).slice(manual.length);
    expect(usual.map((one) => [one.local_date, one.slot?.delivery_hour])).toEqual([
      ['2027-03-06', 11],
      ['2027-03-06', 20],
    ]);
  },
);

describe('a superseded text', () => {
  test('is planned again with a new id if the new hour is still ahead', async () => {
    const { release, settings } = await releaseOne();
    await change(scheduler, settings, { delivery_hour: 12 });
    await scheduler.answer(release, 'superseded');
    await scheduler.goTo('2027-03-06T17:00:00Z');
    const [, retried] = await scheduler.releases();
    expect(retried).toMatchObject({
      local_date: '2027-03-06',
      due_at: '2027-03-06T17:00:00.000Z',
      slot: { delivery_hour: 12 },
    });
    expect(retried?.dispatch_id).not.toBe(release.dispatch_id);
    expect(await states()).toEqual(['2027-03-06 released']);
  });

  test('that a carrier had returned is planned again for the new hour', async () => {
    const { release, settings } = await releaseOne();
    await scheduler.answer(release, 'accepted');
    await change(scheduler, settings, { delivery_hour: 12 });
    await scheduler.goTo('2027-03-06T14:05:00Z');
    await scheduler.answer(release, 'superseded');
    await scheduler.goTo('2027-03-06T17:00:00Z');
    expect((await scheduler.releases()).map((one) => one.due_at)).toEqual([
      '2027-03-06T14:00:00.000Z',
      '2027-03-06T17:00:00.000Z',
    ]);
  });

  test("isn't planned again if the new hour has passed", async () => {
    const { release, settings } = await releaseOne();
    await change(scheduler, settings, { delivery_hour: 8 });
    await scheduler.answer(release, 'superseded');
    await scheduler.goTo('2027-03-06T23:00:00Z');
    expect(await states()).toEqual(['2027-03-06 superseded']);
    expect(await scheduler.subscriber(settings.user_id)).toMatchObject({
      next_local_date: '2027-03-07',
    });
  });

  test('is planned again when the change arrives later', async () => {
    const { release, settings } = await releaseOne();
    await scheduler.answer(release, 'superseded');
    await change(scheduler, settings, { delivery_hour: 12 });
    await scheduler.goTo('2027-03-06T17:00:00Z');
    expect((await scheduler.releases()).map((one) => one.due_at)).toEqual([
      '2027-03-06T14:00:00.000Z',
      '2027-03-06T17:00:00.000Z',
    ]);
  });

  test('without a known change is released again with growing delays while its windows are open', async () => {
    const { release } = await releaseOne();
    let last = release;
    for (let minute = 0; minute < 300; minute += 5) {
      scheduler.clock.advance({ minutes: 5 });
      await scheduler.settle();
      const newest = (await scheduler.releases()).at(-1);
      if (newest !== undefined && newest.dispatch_id !== last.dispatch_id)
        await scheduler.answer(newest, 'superseded');
      else if (minute === 0) await scheduler.answer(last, 'superseded');
      last = newest ?? last;
    }
    const releases = await scheduler.releases();
    expect(releases.length).toBeGreaterThan(3);
    expect(releases.length).toBeLessThan(10);
    expect(new Set(releases.map((one) => one.dispatch_id)).size).toBe(releases.length);
    expect(await states()).toEqual(['2027-03-06 missed']);
  });

  test('never reuses an id, however often the hour changes', async () => {
    let { release, settings } = await releaseOne();
    for (const delivery_hour of [12, 13, 14, 15, 16, 17, 18]) {
      settings = await change(scheduler, settings, { delivery_hour });
      await scheduler.answer(release, 'superseded');
      settings = await change(scheduler, settings, { delivery_hour: 20 });
      settings = await change(scheduler, settings, { delivery_hour });
      await scheduler.goTo(`2027-03-06T${delivery_hour + 5}:00:00Z`);
      release = (await scheduler.releases()).at(-1) ?? release;
    }
    const releases = await scheduler.releases();
    expect(releases).toHaveLength(8);
    expect(new Set(releases.map((one) => one.dispatch_id)).size).toBe(8);
    expect(await states()).toEqual(['2027-03-06 released']);
  });
});

describe('a date without a sent text', () => {
  test.each(['skipped', 'missed'] as const)(
    '(%s) is planned again when a later hour of today is chosen',
    async (outcome) => {
      const { release, settings } = await releaseOne();
      await scheduler.answer(release, outcome);
      await change(scheduler, settings, { delivery_hour: 18 });
      await scheduler.goTo('2027-03-06T23:00:00Z');
      expect((await scheduler.releases()).map((one) => one.local_date)).toEqual([
        '2027-03-06',
        '2027-03-06',
      ]);
    },
  );

  test.each(['accepted', 'unknown', 'refused'] as const)(
    'excludes one that was %s',
    async (outcome) => {
      const { release, settings } = await releaseOne();
      await scheduler.answer(release, outcome);
      await change(scheduler, settings, { delivery_hour: 18 });
      await scheduler.goTo('2027-03-06T23:00:00Z');
      expect(await scheduler.releases()).toHaveLength(1);
    },
  );

  test('stays unchanged with the same hour', async () => {
    const { release, settings } = await releaseOne();
    await scheduler.answer(release, 'skipped', { reason: 'paused' });
    await change(scheduler, settings, { paused_until: null });
    await scheduler.goTo('2027-03-06T23:00:00Z');
    expect(await scheduler.releases()).toHaveLength(1);
  });
});

describe('a release without an outcome', () => {
  test('is published again with the same id and content until there is one', async () => {
    const { release } = await releaseOne();
    await scheduler.goTo('2027-03-06T14:09:00Z');
    expect(await scheduler.releases()).toHaveLength(1);
    await scheduler.goTo('2027-03-06T14:10:00Z');
    await scheduler.goTo('2027-03-06T14:30:00Z');
    expect(await scheduler.releases()).toEqual([release, release, release]);
    await scheduler.answer(release, 'accepted');
    await scheduler.goTo('2027-03-06T22:00:00Z');
    expect(await scheduler.releases()).toHaveLength(3);
  });

  test("isn't published again while it waits in sms-gateway's queue", async () => {
    const { release } = await releaseOne();
    scheduler.answers['/internal/waiting-texts'] = [release.dispatch_id];
    await scheduler.goTo('2027-03-06T14:10:00Z');
    await scheduler.goTo('2027-03-06T14:20:00Z');
    expect(await scheduler.releases()).toHaveLength(1);
    scheduler.answers['/internal/waiting-texts'] = [];
    await scheduler.goTo('2027-03-06T14:30:00Z');
    expect(await scheduler.releases()).toEqual([release, release]);
  });

  test('stays released after its windows, because only sms-gateway knows the outcome', async () => {
    const { release } = await releaseOne();
    await scheduler.goTo('2027-03-07T10:00:00Z');
    expect((await states())[0]).toBe('2027-03-06 released');
    await scheduler.answer(release, 'missed', { reason: 'windows_closed' });
    expect((await states())[0]).toBe('2027-03-06 missed');
  });
});
