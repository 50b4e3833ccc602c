import type { SchedulerStatus } from '@daylift/contracts/scheduler.http';
import { QueryClient } from '@tanstack/react-query';
import { expect, test, vi } from 'vitest';
import { createPutFigures } from './put-figures.ts';

const status = (pending_jobs: number): SchedulerStatus => ({
  pending_jobs,
  processing_jobs: 0,
  users_due_for_messages: 0,
  scheduler_running: true,
});
const sms = (total_sent: number) => ({
  total_sent,
  successful: total_sent,
  failed: 0,
  success_rate: 100,
  total_cost: 0,
});
const rest = {
  users: { total: 2, active: 1 },
  subscriptions: { active: 0, trial: 1 },
  revenue: { total: 0, total_cents: 0, transactions: 0 },
  scheduled_messages: {
    total: 0,
    pending: 0,
    todays_message: {
      date: '2027-04-05',
      exists: false,
      id: null,
      title: null,
      scheduled_time: null,
      is_sent: false,
    },
  },
  templates: { active: 1, total: 1 },
};

const at = '2027-04-05T14:30:00.000Z';

test("a response in flight doesn't overwrite newer data", async () => {
  const client = new QueryClient();
  const key = ['sms-system', 'status'];
  const call = Promise.withResolvers<SchedulerStatus>();
  const fetching = client
    .fetchQuery({ queryKey: key, queryFn: () => call.promise })
    .catch(() => null);
  createPutFigures(client)({ at, figures: { status: status(3) } });
  call.resolve(status(9));
  await fetching;
  await new Promise((resolve) => setTimeout(resolve));
  expect(client.getQueryData(key)).toEqual(status(3));
});

test("the dashboard's figures appear once all are known, and then change one by one", () => {
  const client = new QueryClient();
  const put = createPutFigures(client);
  put({ at, figures: { sms: sms(5) } });
  expect(client.getQueryData(['analytics'])).toBeUndefined();
  put({ at, figures: rest });
  expect(client.getQueryData(['analytics'])).toEqual({ ...rest, sms: sms(5) });
  put({ at, figures: { sms: sms(6) } });
  expect(client.getQueryData(['analytics'])).toEqual({ ...rest, sms: sms(6) });
});

test('dependent queries are refetched after a change or a new hour, throttled, and not after a full update', () => {
  vi.useFakeTimers();
  try {
    const client = new QueryClient();
    const invalidate = vi.spyOn(client, 'invalidateQueries').mockResolvedValue();
    const put = createPutFigures(client);
    put({ at, figures: { batches: [], sms: sms(5) } });
    put({ at, figures: { batches: [], sms: sms(5) } });
    vi.advanceTimersByTime(60_000);
    expect(invalidate).not.toHaveBeenCalled();
    for (let sent = 6; sent < 46; sent += 1) {
      put({ at, figures: { sms: sms(sent) } });
      vi.advanceTimersByTime(1_000);
    }
    const keys = invalidate.mock.calls.map(([filters]) => filters?.queryKey?.join());
    expect(keys.filter((key) => key === 'sms-system,daily-stats')).toHaveLength(4);
    expect(keys).not.toContain('scheduled-messages');
    expect(keys).not.toContain('forecast');
    put({ at: '2027-04-05T17:00:00.000Z', figures: {} });
    vi.advanceTimersByTime(2_000);
    expect(invalidate).toHaveBeenCalledWith({ queryKey: ['forecast'] });
  } finally {
    vi.useRealTimers();
  }
});
