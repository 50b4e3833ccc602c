import { publishedEvents } from '@daylift/testing/published';
import { beforeAll, expect, test } from 'vitest';
import { aMessage, aTemplate, subscribe } from '../../test/factories.ts';
import { asAdmin, openScheduler, type Scheduler } from '../../test/harness.ts';

let scheduler: Scheduler;
beforeAll(async () => {
  scheduler = await openScheduler();
  return () => scheduler.close();
});

test("a manual send doesn't take texts held by another", async () => {
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

test('held texts are listed and can be canceled, and their subscribers get their usual text', async () => {
  await scheduler.reset('2027-03-06T15:00:00Z');
  scheduler.deps.manualSendWaitMs = 50;
  await scheduler.receive('content.template.changed', aTemplate());
  const { user_id } = await subscribe(
    scheduler,
    { timezone: 'Asia/Tokyo', delivery_hour: 7 },
    { entitled_since: '2027-03-04T01:00:00.000Z' },
  );
  const message = aMessage({ content: 'By hand' });
  await scheduler.receive('content.message.scheduled', message);
  const url = `/admin/scheduled-messages/${message.id}`;
  const cancel = (as = asAdmin('operator')) => scheduler.call('POST', `${url}/cancel-held`, as, {});
  expect((await cancel()).statusCode).toBe(404);
  await scheduler.call('POST', `${url}/send-now`, asAdmin('operator'), { hold_quiet_hours: true });
  // The planner finds the date taken by the held text.
  await scheduler.goTo('2027-03-06T21:00:00Z');
  const held = async () =>
    (await scheduler.call('GET', '/admin/held-texts', asAdmin('viewer'))).json();
  expect(await held()).toEqual([
    {
      scheduled_message_id: message.id,
      title: message.title,
      texts: 1,
      first_at: '2027-03-06T23:00:00.000Z',
      last_at: '2027-03-06T23:00:00.000Z',
    },
  ]);
  expect((await cancel(asAdmin('viewer'))).statusCode).toBe(403);
  expect((await cancel()).json()).toEqual({ canceled: 1, left: 0 });
  expect((await cancel()).json()).toEqual({ canceled: 0, left: 0 });
  expect(await held()).toEqual([]);
  await scheduler.goTo('2027-03-07T00:00:00Z');
  expect(await scheduler.texts()).toMatchObject([
    { user_id, local_date: '2027-03-07', scheduled_message_id: null },
  ]);
  const actions = await publishedEvents(scheduler.db, 'scheduler.admin.acted');
  expect(actions.map((one) => one.data)).toMatchObject([
    { action: 'message.sent_now' },
    { action: 'message.held_canceled', details: { canceled: 1 } },
  ]);
});

test("canceling held texts doesn't cancel another date's text that is due at that moment", async () => {
  await scheduler.reset('2027-03-07T03:30:00Z');
  scheduler.deps.manualSendWaitMs = 50;
  await scheduler.receive('content.template.changed', aTemplate());
  await subscribe(scheduler, { delivery_hour: 23 });
  await scheduler.settle();
  const message = aMessage();
  await scheduler.receive('content.message.scheduled', message);
  const url = `/admin/scheduled-messages/${message.id}`;
  await scheduler.call('POST', `${url}/send-now`, asAdmin('operator'), { hold_quiet_hours: true });
  scheduler.clock.set('2027-03-07T04:00:00Z');
  const canceled = await scheduler.call('POST', `${url}/cancel-held`, asAdmin('operator'), {});
  expect(canceled.json()).toEqual({ canceled: 1, left: 0 });
  await scheduler.settle();
  expect((await scheduler.texts()).map((one) => one.local_date)).toEqual(['2027-03-06']);
});

test('a daily message sent before its date frees that date', async () => {
  await scheduler.reset('2027-03-06T15:00:00Z');
  scheduler.deps.manualSendWaitMs = 50;
  await subscribe(scheduler, { delivery_hour: 18 });
  const early = aMessage({ scheduled_date: '2027-03-07', content: 'Early' });
  await scheduler.receive('content.message.scheduled', early);
  const url = `/admin/scheduled-messages/${early.id}`;
  const preview = await scheduler.call('GET', `${url}/send-preview`, asAdmin('operator'));
  expect(preview.json()).toMatchObject({ is_early: true, scheduled_date: '2027-03-07' });
  await scheduler.call('POST', `${url}/send-now`, asAdmin('operator'), {});
  const completed = await publishedEvents(scheduler.db, 'scheduler.message.completed');
  expect(completed.map((one) => one.data)).toMatchObject([{ sent_early: true }]);
  const [first] = await scheduler.texts();
  await scheduler.answer(first!, 'accepted');
  const other = aMessage({ scheduled_date: '2027-03-07', content: 'In its place' });
  await scheduler.receive('content.message.scheduled', other);
  await scheduler.goTo('2027-03-07T23:00:00Z');
  expect((await scheduler.texts()).map((one) => one.content)).toEqual(['Early', 'In its place']);
});
