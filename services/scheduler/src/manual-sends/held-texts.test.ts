import { beforeAll, expect, test } from 'vitest';
import { aMessage, subscribe } from '../../test/factories.ts';
import { asAdmin, openScheduler, type Scheduler } from '../../test/harness.ts';

let scheduler: Scheduler;
beforeAll(async () => {
  scheduler = await openScheduler();
  return () => scheduler.close();
});

test("texts held by one manual send aren't taken by another", async () => {
  await scheduler.reset('2027-03-06T15:00:00Z');
  scheduler.deps.manualSendWaitMs = 50;
  const { user_id } = await subscribe(
    scheduler,
    { timezone: 'Asia/Tokyo', delivery_hour: 12 },
    { entitled_since: '2027-03-04T01:00:00.000Z' },
  );
  const [first, second] = [aMessage({ content: 'First' }), aMessage({ content: 'Second' })];
  const send = async ({ id }: { id: string }) =>
    (
      await scheduler.call(
        'POST',
        `/admin/scheduled-messages/${id}/send-now`,
        asAdmin('operator'),
        {
          hold_quiet_hours: true,
        },
      )
    ).json();
  for (const one of [first, second]) await scheduler.receive('content.message.scheduled', one);
  expect(await send(first)).toMatchObject({ total_recipients: 1, held: 1 });
  expect(await send(second)).toMatchObject({ total_recipients: 0, held: 0 });
  await scheduler.goTo('2027-03-06T23:00:00Z');
  expect(await scheduler.texts()).toMatchObject([{ user_id, content: 'First' }]);
  expect(await send(first)).toMatchObject({ total_recipients: 1, pending: 1, held: 0 });
});
