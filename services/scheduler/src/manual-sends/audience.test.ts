import type { Audience, ManualSendPreview } from '@daylift/contracts/scheduler.http';
import { sql } from 'kysely';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { aMessage, subscribe } from '../../test/factories.ts';
import { asAdmin, asUser, openScheduler, type Scheduler } from '../../test/harness.ts';

let scheduler: Scheduler;
beforeAll(async () => {
  scheduler = await openScheduler();
  return () => scheduler.close();
});
beforeEach(() => scheduler.reset('2027-03-06T15:00:00Z'));

const audience = async (): Promise<Audience> =>
  (await scheduler.call('GET', '/admin/audience', asAdmin('viewer'))).json();

/** Half in New York by day, half in Tokyo in quiet hours; a tenth of each turned texts off. */
const fill = (people: number) =>
  sql`insert into subscribers (user_id, timezone, delivery_hour, frequency, is_active, delivery_enabled, consent,
      entitled, first_local_date, next_local_date, next_due_at)
    select gen_random_uuid(), case n % 2 when 0 then 'America/New_York' else 'Asia/Tokyo' end, 9, 'daily', true,
      n % 20 > 1, 'granted', true, '2027-03-01', '2027-03-08', '2027-03-08T12:00:00Z'
    from generate_series(1, ${people}::integer) as n`.execute(scheduler.db);

describe('GET /admin/audience', () => {
  test('counts everyone who may receive a text, whatever they got today, with the price', async () => {
    await subscribe(scheduler);
    await subscribe(scheduler, { timezone: 'Asia/Tokyo' });
    await subscribe(scheduler, { consent: 'pending' });
    await subscribe(scheduler, { delivery_enabled: false });
    await subscribe(scheduler, { paused_until: '2027-03-07' });
    await subscribe(scheduler, { paused_until: '2027-03-06' });
    await subscribe(scheduler, {}, { entitled: false });
    expect(await audience()).toEqual({
      recipients: 3,
      is_estimate: false,
      price_per_part: '0.0040',
      currency: 'USD',
    });
  });

  test('is exact for some thousands, and marked as an estimate for more', async () => {
    await fill(2_000);
    expect(await audience()).toMatchObject({ recipients: 1_800, is_estimate: false });
    await fill(38_000);
    const { recipients, is_estimate } = await audience();
    expect(is_estimate).toBe(true);
    // Four standard deviations of such a sample.
    expect(Math.abs(recipients / 36_000 - 1)).toBeLessThan(0.08);
    expect(Number(recipients.toPrecision(3))).toBe(recipients);
    const message = aMessage();
    await scheduler.receive('content.message.scheduled', message);
    const url = `/admin/scheduled-messages/${message.id}/send-preview`;
    const preview: ManualSendPreview = (
      await scheduler.call('GET', url, asAdmin('operator'))
    ).json();
    expect(preview).toMatchObject({ recipients, is_estimate: true });
    expect(Math.abs(preview.in_quiet_hours / 18_000 - 1)).toBeLessThan(0.12);
    expect(preview.estimated_cost).toBe((recipients * 0.004).toFixed(4));
  });

  test('is for admins', async () => {
    expect((await scheduler.call('GET', '/admin/audience', null)).statusCode).toBe(401);
    expect((await scheduler.call('GET', '/admin/audience', asUser())).statusCode).toBe(403);
  });
});
