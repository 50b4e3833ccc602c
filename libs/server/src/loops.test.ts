import { systemClock } from '@daylift/clock/clock';
import { hourMs } from '@daylift/clock/durations';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { isActive, noteActivity } from './activity.ts';
import { createServer } from './create-server.ts';
import { createLogger } from './logger.ts';
import { createLoops, type Loop, type Loops } from './loops.ts';

let running: Loops | undefined;
afterEach(() => running?.stop());

function loopsOf(...loops: Loop[]): Loops {
  running = createLoops(loops, { clock: systemClock, log: createLogger('test', 'silent') });
  return running;
}

/** A loop whose runs process `counts` items, then none. */
function finds(name: string, counts: number[]): Loop & { run: ReturnType<typeof vi.fn> } {
  const left = [...counts];
  return { name, run: vi.fn(async () => left.shift() ?? 0) };
}

/** A run that lasts until the test releases it. */
function gate() {
  const starts: (() => void)[] = [];
  let runs = 0;
  let running = 0;
  let most = 0;
  return {
    run: async () => {
      runs += 1;
      running += 1;
      most = Math.max(most, running);
      await new Promise<void>((resolve) => starts.push(resolve));
      running -= 1;
      return 0;
    },
    open: () => starts.shift()?.(),
    runs: () => runs,
    most: () => most,
  };
}

test('settling runs every loop until none finds work, and its counter grows only with work', async () => {
  const [texts, mails] = [finds('texts', [50, 50, 7]), finds('mails', [1])];
  const loops = loopsOf(texts, mails);
  const { work: before } = await loopsOf().settle();
  const { work, ...left } = await loops.settle();
  expect(left).toEqual({ busy: 0, next_at: null });
  expect(work).toBeGreaterThan(before);
  expect(texts.run).toHaveBeenCalledTimes(4);
  expect((await loops.settle()).work).toBe(work);
});

describe('settling again', () => {
  let pending = 0;
  const texts = { name: 'texts', run: vi.fn(async () => 0), pending: async () => pending };
  async function runsAfter(change: () => unknown, outside = 'one settling'): Promise<number> {
    const loops = loopsOf(texts);
    await loops.settle('one settling');
    await loops.settle('one settling');
    await change();
    texts.run.mockClear();
    await loops.settle(outside);
    return texts.run.mock.calls.length;
  }
  beforeEach(() => {
    pending = 0;
  });

  test('runs no loop if nothing has been done since', async () => {
    expect(await runsAfter(() => undefined)).toBe(0);
  });

  test('runs every loop after a loop found work', async () => {
    const [mails, other] = [finds('mails', [1]), finds('other', [])];
    const loops = loopsOf(mails, other);
    await loops.settle('one settling');
    await loops.settle('one settling');
    expect(other.run).toHaveBeenCalledTimes(2);
  });

  test('runs every loop after a write request, and not after a read', async () => {
    const app = createServer({ name: 'test', logLevel: 'silent', readiness: {} });
    app.route({ method: ['GET', 'POST'], url: '/people', handler: async () => ({}) });
    expect(await runsAfter(() => app.inject({ url: '/people' }))).toBe(0);
    expect(await runsAfter(() => app.inject({ method: 'POST', url: '/people' }))).toBe(1);
  });

  test('runs every loop after others may have left work', async () => {
    expect(await runsAfter(() => undefined, 'the next settling')).toBe(1);
  });

  test('runs every loop while something is pending', async () => {
    pending = 1;
    expect(await runsAfter(() => undefined)).toBe(1);
  });

  test('runs every loop after a run failed, even if it started before and ends meanwhile', async () => {
    const failing = Promise.withResolvers<number>();
    let run = (): Promise<number> => Promise.resolve(0);
    const [left, shaky] = [finds('left', []), { name: 'shaky', run: () => run() }];
    const loops = loopsOf(left, shaky);
    const settle = () => loops.settle('one settling');
    await settle();
    run = () => failing.promise;
    loops.nudge('shaky');
    const settling = settle();
    failing.reject(new Error('the database is away'));
    await expect(settling).rejects.toThrow('the database is away');
    run = () => Promise.resolve(0);
    left.run.mockClear();
    await settle();
    expect(left.run).toHaveBeenCalledTimes(1);
  });

  test('runs every loop while one is running, and waits for it', async () => {
    const slow = gate();
    const loops = loopsOf({ name: 'slow', run: slow.run });
    const settle = () => loops.settle('one settling');
    const first = settle();
    await vi.waitFor(() => slow.open());
    await first;
    loops.nudge('slow');
    let isOver = false;
    const second = settle().then(() => {
      isOver = true;
    });
    await new Promise(setImmediate);
    expect(isOver).toBe(false);
    slow.open();
    await second;
  });
});

test('settling returns what waits elsewhere, and the next instant with work', async () => {
  const at = (instant: string) => async () => new Date(instant);
  const loops = loopsOf(
    { name: 'queue', pending: async () => 3, done: () => 1_000_000 },
    { name: 'inbox', pending: async () => 2, nextAt: async () => null },
    { name: 'plan', nextAt: at('2027-03-08T09:00:00Z') },
    { name: 'trials', nextAt: at('2027-03-07T12:00:00Z') },
  );
  const { work, ...left } = await loops.settle();
  expect(left).toEqual({ busy: 5, next_at: '2027-03-07T12:00:00.000Z' });
  expect(work).toBeGreaterThanOrEqual(1_000_000);
});

test('settling that found work leaves the next instant to the following one', async () => {
  const nextAt = vi.fn(async () => new Date('2027-03-07T12:00:00Z'));
  const mails = finds('mails', []);
  const loops = loopsOf(mails, { name: 'trials', nextAt });
  await loops.settle('one settling');
  nextAt.mockClear();
  mails.run.mockResolvedValueOnce(1);
  await loops.settle('the next settling');
  expect(nextAt).not.toHaveBeenCalled();
  expect((await loops.settle('the next settling')).next_at).toBe('2027-03-07T12:00:00.000Z');
});

test("a process's first settling returns the next instant even if it found work", async () => {
  const nextAt = async () => new Date('2027-03-07T12:00:00Z');
  const loops = loopsOf(finds('mails', [1]), { name: 'trials', nextAt });
  expect((await loops.settle('one settling')).next_at).toBe('2027-03-07T12:00:00.000Z');
});

test('settling repeats background work only after the clock has advanced', async () => {
  const cleanup = { ...finds('cleanup', []), settleEveryMs: hourMs };
  let now = new Date('2027-03-07T12:00:00Z');
  const clock = { ...systemClock, now: () => now };
  running = createLoops([cleanup], { clock, log: createLogger('test', 'silent') });
  await running.settle();
  now = new Date('2027-03-07T12:59:00Z');
  await running.settle();
  expect(cleanup.run).toHaveBeenCalledTimes(1);
  now = new Date('2027-03-07T13:00:00Z');
  await running.settle();
  expect(cleanup.run).toHaveBeenCalledTimes(2);
});

test('settling fails when a loop fails', async () => {
  const loops = loopsOf({
    name: 'broken',
    run: async () => {
      throw new Error('the database is away');
    },
  });
  await expect(loops.settle()).rejects.toThrow('the database is away');
});

test('a failed loop runs again at its next interval', async () => {
  const succeeded = Promise.withResolvers<void>();
  let runs = 0;
  const loops = loopsOf({
    name: 'shaky',
    everyMs: 5,
    run: async () => {
      runs += 1;
      if (runs === 1) throw new Error('once');
      succeeded.resolve();
      return 0;
    },
  });
  loops.start();
  await succeeded.promise;
});

test('a loop never runs concurrently, whatever triggers it', async () => {
  const runOnce = gate();
  const loops = loopsOf({ name: 'only', everyMs: 60_000, run: runOnce.run });
  loops.nudge('only');
  const settling = [loops.settle(), loops.settle()];
  loops.nudge('only');
  runOnce.open();
  await Promise.all(settling);
  // Because of the second nudge.
  await vi.waitFor(() => expect(runOnce.runs()).toBe(2));
  runOnce.open();
  expect(runOnce.most()).toBe(1);
});

test('a nudge during a nudged run makes the loop run again immediately, long before its next interval', async () => {
  const runOnce = gate();
  const loops = loopsOf({ name: 'only', everyMs: 60_000, run: runOnce.run });
  loops.start();
  loops.nudge('only');
  loops.nudge('only');
  runOnce.open();
  await vi.waitFor(() => expect(runOnce.runs()).toBe(2));
  runOnce.open();
});

test('stopping waits for the current run and starts no other', async () => {
  const runOnce = gate();
  const loops = loopsOf({ name: 'only', everyMs: 60_000, run: runOnce.run });
  loops.nudge('only');
  let stopped = false;
  const stopping = loops.stop().then(() => {
    stopped = true;
  });
  loops.nudge('only');
  expect(stopped).toBe(false);
  runOnce.open();
  await stopping;
  expect(runOnce.runs()).toBe(1);
});

test('a nudge for an unknown loop is ignored', () => {
  loopsOf().nudge('nothing');
});

describe('a loop of an idle process', () => {
  beforeEach(() => {
    vi.useFakeTimers();
    // Longer ago than any activity of the tests before.
    vi.setSystemTime(Date.now() + 3_600_000);
  });
  afterEach(() => vi.useRealTimers());

  test('waits longer after each empty run, and at most its longest rest', async () => {
    const loop = { ...finds('rare', []), everyMs: 100, restMs: 1_000 };
    loopsOf(loop).start();
    await vi.advanceTimersByTimeAsync(10_000);
    // At 100, 300, 700, 1,500 and 2,500 ms, then every second.
    expect(loop.run).toHaveBeenCalledTimes(12);
  });

  test('runs at its short interval again at the first activity', async () => {
    const loop = { ...finds('rare', []), everyMs: 100 };
    loopsOf(loop).start();
    await vi.advanceTimersByTimeAsync(60_000);
    loop.run.mockClear();
    noteActivity();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(loop.run).toHaveBeenCalledTimes(10);
  });

  test('runs as often as planned if activity comes and goes between its runs', async () => {
    const loop = { ...finds('rare', []), everyMs: 60_000 };
    loopsOf(loop).start();
    for (let seconds = 0; seconds < 300; seconds += 15) {
      noteActivity();
      await vi.advanceTimersByTimeAsync(15_000);
    }
    expect(loop.run).toHaveBeenCalledTimes(5);
  });

  test('runs at the next instant with work, however long it rests', async () => {
    const at = new Date(Date.now() + 12_000);
    const runs: number[] = [];
    const run = async () => runs.push(Date.now()) * 0;
    loopsOf({ name: 'planned', everyMs: 100, restMs: 60_000, run, nextAt: async () => at }).start();
    await vi.advanceTimersByTimeAsync(12_000);
    expect(runs).toContain(at.getTime());
  });

  test('rests while requests only read', async () => {
    vi.useRealTimers();
    const app = createServer({ name: 'test', logLevel: 'silent', readiness: {} });
    app.route({ method: ['GET', 'POST'], url: '/people', handler: async () => ({}) });
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 2 * hourMs });
    await app.inject({ url: '/people' });
    expect(isActive()).toBe(false);
    await app.inject({ method: 'POST', url: '/people' });
    expect(isActive()).toBe(true);
  });
});
