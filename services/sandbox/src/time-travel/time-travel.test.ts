import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { createTravellingClock, type TravellingClock } from '@daylift/clock/clock';
import { followSandboxClock } from '@daylift/clock/sandbox-clock';
import { eventually } from '@daylift/testing/eventually';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { SMS_FROM, startTestSandbox, type TestSandbox } from '../../test/harness.ts';
import type { Advanced } from './advance.ts';

const START = '2027-03-01T09:10:00Z';
let test: TestSandbox;
const processes: FakeProcess[] = [];
beforeEach(async () => {
  test = await startTestSandbox({ CLOCK_START: START });
});
afterEach(async () => {
  for (const process of processes.splice(0)) await process.kill();
  await test.close();
});

/** A fake process: a clock, a settle endpoint and scheduled jobs. */
interface FakeProcess {
  clock: TravellingClock;
  /** Instants at which it was asked to settle. */
  settledAt: Date[];
  /** What each request said about work that others may have left to it. */
  outside: Set<string>;
  /** Jobs with their instants; `rounds` is how often each reports busy before. */
  jobs: { at: string; rounds: number; run?: () => Promise<unknown> }[];
  kill(): Promise<void>;
}

async function startProcess(
  name: string,
  jobs: FakeProcess['jobs'] = [],
  { ownHost = '127.0.0.1', service = name } = {},
): Promise<FakeProcess> {
  const stop = new AbortController();
  const clock = createTravellingClock(0);
  const self: FakeProcess = {
    clock,
    settledAt: [],
    outside: new Set(),
    jobs,
    kill: () => kill(server, stop),
  };
  let work = 0;
  const server = createServer(async (request, response) => {
    const { offset_ms, outside } = (await json(request)) as { offset_ms: number; outside: string };
    self.outside.add(outside);
    clock.adopt(offset_ms);
    self.settledAt.push(clock.now());
    const due = self.jobs.filter(({ at }) => new Date(at) <= clock.now());
    for (const job of due) job.rounds -= 1;
    for (const job of due.filter(({ rounds }) => rounds < 0)) {
      self.jobs.splice(self.jobs.indexOf(job), 1);
      await job.run?.();
      work += 1;
    }
    const later = self.jobs.map(({ at }) => at).sort()[0] ?? null;
    const busy = due.filter(({ rounds }) => rounds >= 0).length;
    response.end(JSON.stringify({ busy, work, next_at: busy > 0 ? null : later }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  const { port } = server.address() as AddressInfo;
  void followSandboxClock({
    sandboxUrl: test.sandbox.address,
    process: name,
    service,
    settleUrl: `http://${ownHost}:${port}/internal/settle`,
    clock,
    signal: stop.signal,
  });
  processes.push(self);
  await eventually(async () =>
    (await clockOf()).processes.some((one) => one.name === name && one.up),
  );
  return self;
}

async function kill(server: Server, stop: AbortController): Promise<void> {
  stop.abort();
  server.closeAllConnections();
  if (server.listening) await new Promise((resolve) => server.close(resolve));
}

const clockOf = () =>
  test.get<{ now: string; offset_ms: number; processes: { name: string; up: boolean }[] }>(
    '/sandbox/clock',
  );
const travel = (body: object) => test.post<Advanced>('/sandbox/clock', body);
const hours = (dates: Date[]) => [...new Set(dates.map((at) => at.toISOString().slice(11, 16)))];

it('starts at CLOCK_START, and continues after a restart', async () => {
  expect((await clockOf()).now).toMatch(/^2027-03-01T09:10/);
  await travel({ advance_hours: 30 });
  await test.restart();
  expect((await clockOf()).now).toMatch(/^2027-03-02T15:10/);
});

it('reaches a process that listens on all addresses at the address it called from', async () => {
  const scheduler = await startProcess('scheduler', [], { ownHost: 'its-own-name.invalid' });
  expect((await travel({ advance_hours: 1 })).body).toMatchObject({ unsettled: [] });
  expect(scheduler.settledAt.length).toBeGreaterThan(0);
});

it('stops every follower at each hour and each quarter-hour with due work', async () => {
  const scheduler = await startProcess('scheduler', [{ at: '2027-03-01T10:20:30Z', rounds: 0 }]);
  const { status, body } = await travel({ advance_hours: 2 });
  expect(status).toBe(200);
  expect(body).toMatchObject({ stops: 4, unsettled: [] });
  expect(body.now).toMatch(/^2027-03-01T11:10/);
  expect(hours(scheduler.settledAt)).toEqual(['09:10', '10:00', '10:30', '11:00', '11:10']);
  expect(scheduler.jobs).toEqual([]);
  expect(scheduler.clock.now().toISOString().slice(0, 16)).toBe('2027-03-01T11:10');
});

it('stops only as often as requested, but always for due work', async () => {
  const scheduler = await startProcess('scheduler', [{ at: '2027-03-01T20:20:30Z', rounds: 0 }]);
  expect((await travel({ advance_hours: 24, stop_every_hours: 12 })).body.stops).toBe(4);
  expect(hours(scheduler.settledAt)).toEqual(['09:10', '12:00', '20:30', '00:00']);
});

it('waits while a process is busy, a text is in flight or a receipt is undelivered', async () => {
  let refusals = 2;
  test.receiver.answer = () => (refusals-- > 0 ? 500 : 200);
  const send = () =>
    test.telnyx.messages.send({ to: '+12125550123', from: SMS_FROM, text: 'Good morning' });
  await startProcess('sms-worker', [{ at: '2027-03-01T10:00:00Z', rounds: 3, run: send }]);
  const { body } = await travel({ advance_hours: 1 });
  expect(body).toMatchObject({
    unsettled: [],
    events: { texts_accepted: 1, telnyx_webhooks: 2, emails: 0 },
  });
  const [text] = await test.get<{ accepted_at: string; status: string }[]>('/sandbox/messages');
  expect(text?.accepted_at).toMatch(/^2027-03-01T10:00/);
  expect(text?.status).toBe('delivered');
});

it('waits until a crashed process is back, even on another port', async () => {
  await startProcess('gateway');
  const billing = await startProcess('billing');
  await billing.kill();
  await eventually(async () => (await clockOf()).processes.some(({ up }) => !up));
  const journey = travel({ advance_hours: 2 });
  const back = await startProcess('billing');
  const { body } = await journey;
  expect(body.unsettled).toEqual([]);
  expect((await clockOf()).processes).toEqual([
    { name: 'gateway', up: true },
    { name: 'billing', up: true },
  ]);
  expect(hours(back.settledAt)).toContain('11:00');
});

it('does not wait for a stopped replica while another one of that service runs', async () => {
  const staying = await startProcess('scheduler');
  const going = await startProcess('scheduler');
  await eventually(async () => (await clockOf()).processes.length === 2);
  await going.kill();
  await eventually(async () => (await clockOf()).processes.length === 1);
  const { body } = await travel({ advance_hours: 1 });
  expect(body.unsettled).toEqual([]);
  await staying.kill();
  await eventually(async () => (await clockOf()).processes.some(({ up }) => !up));
  expect((await travel({ settle: true, cap_ms: 300 })).body.unsettled).toHaveLength(1);
});

it('continues at the cap without a process that is down, and reports it', async () => {
  const billing = await startProcess('billing');
  await startProcess('content', [{ at: '2027-03-01T09:00:00Z', rounds: 1_000_000 }]);
  await billing.kill();
  const { body } = await travel({ advance_hours: 1, cap_ms: 300 });
  expect(body.now).toMatch(/^2027-03-01T10:10/);
  expect(body.unsettled[0]?.waited_ms).toBeGreaterThanOrEqual(300);
  expect(body.unsettled[0]?.processes).toEqual([
    { name: 'billing', up: false, busy: null },
    { name: 'content', up: true, busy: 1 },
  ]);
});

it('lists replicas of one service separately', async () => {
  await startProcess('scheduler');
  await startProcess('scheduler');
  expect((await clockOf()).processes).toHaveLength(2);
});

it('notifies a process when settling starts or another process of its service has done work', async () => {
  const api = await startProcess('sms-gateway');
  const worker = await startProcess('sms-worker', [], { service: 'sms-gateway' });
  const billing = await startProcess('billing');
  await travel({ settle: true });
  const [before, billingBefore] = [worker.outside.size, billing.outside.size];
  api.jobs.push({ at: '2027-03-01T09:00:00Z', rounds: 0 });
  await travel({ settle: true });
  expect(worker.outside.size - before).toBe(2);
  expect(billing.outside.size - billingBefore).toBe(1);
});

it('runs one advance at a time', async () => {
  const [one, other] = await Promise.all([
    travel({ advance_hours: 3 }),
    travel({ advance_hours: 4 }),
  ]);
  expect([one.status, other.status]).toEqual([200, 200]);
  expect((await clockOf()).now).toMatch(/^2027-03-01T16:10/);
});

it('polls a process once per idle hour', async () => {
  const scheduler = await startProcess('scheduler');
  await travel({ settle: true });
  const before = scheduler.settledAt.length;
  const { body } = await travel({ advance_hours: 24 });
  // And before the first.
  expect(scheduler.settledAt.length - before).toBe(body.stops + 1);
});

it.each([
  [{}, 'NOTHING_TO_DO'],
  [{ advance_hours: 1, settle: true }, 'NOTHING_TO_DO'],
  [{ advance_to: '2026-01-01T00:00:00Z' }, 'TIME_ONLY_MOVES_FORWARD'],
  [{ advance_to: '2029-01-01T00:00:00' }, 'NOT_AN_INSTANT'],
  [{ advance_to: 'tomorrow' }, 'NOT_AN_INSTANT'],
  [{ advance_hours: -1 }, 'INVALID_INPUT'],
  [{ advance_hours: '3' }, 'INVALID_INPUT'],
  [{ hours: 3 }, 'INVALID_INPUT'],
])('rejects %j and says what to do', async (body, code) => {
  const response = await test.post<{ detail: string; code: string; request_id: string }>(
    '/sandbox/clock',
    body,
  );
  expect(response).toMatchObject({ status: 400, body: { code } });
  expect(response.body.detail.length).toBeGreaterThan(10);
  expect(response.body.request_id).toBeTruthy();
});
