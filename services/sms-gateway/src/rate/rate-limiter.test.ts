import { setTimeout as delay } from 'node:timers/promises';
import { requiredUrl, uniquePrefix } from '@daylift/testing/servers';
import { Redis } from 'ioredis';
import { afterAll, describe, expect, it } from 'vitest';
import {
  createRateLimiter,
  type RateLimit,
  type RateLimiter,
  type RateSlot,
} from './rate-limiter.ts';

const open: RateLimiter[] = [];
afterAll(() => {
  for (const one of open) one.close();
});

/** A limiter with one limit. */
type Limited = RateLimiter & { limits: RateLimit[] };

const limiterOf = (name: string, count: number): Limited => {
  const limiter = createRateLimiter({
    redisUrl: requiredUrl('TEST_REDIS_URL'),
    name,
    maxOpen: 1_000,
    onError: () => undefined,
  });
  open.push(limiter);
  return { ...limiter, limits: [{ key: 'window', count, perMs: 1_000 }] };
};

async function slotOf(limiter: Limited): Promise<RateSlot> {
  for (;;) {
    const [slot] = await limiter.take([limiter.limits]);
    if (!slot) throw new Error('the line is closed');
    // One that this process missed on a busy machine is void.
    if (await slot.begin()) return slot;
    slot.close();
  }
}

/** Returns the slots of a limit with their scores in ms, and Redis's time. */
async function slotsIn(
  name: string,
  key: string,
): Promise<{ at: Map<string, number>; now: number }> {
  const redis = new Redis(requiredUrl('TEST_REDIS_URL'));
  const [pairs, [seconds, micros]] = await Promise.all([
    redis.zrange(`{rate:${name}}:${key}`, 0, '-1', 'WITHSCORES'),
    redis.time(),
  ]);
  redis.disconnect();
  const members = pairs.flatMap((member, index) =>
    index % 2 === 0 ? [[member, Number(pairs[index + 1]) / 1_000] as const] : [],
  );
  return { at: new Map(members), now: Number(seconds) * 1_000 + Number(micros) / 1_000 };
}

async function loseData(name: string): Promise<void> {
  const redis = new Redis(requiredUrl('TEST_REDIS_URL'));
  await redis.del(`{rate:${name}}:window`, `{rate:${name}}:born`);
  redis.disconnect();
}

/** Returns the maximum within any second, from instants in ms. */
function busiestSecond(instants: number[]): number {
  const sorted = instants.toSorted((one, other) => one - other);
  let most = 0;
  let first = 0;
  for (let last = 0; last < sorted.length; last += 1) {
    while (sorted[last]! - sorted[first]! >= 1_000) first += 1;
    most = Math.max(most, last - first + 1);
  }
  return most;
}

// Concurrent, because most of the time they wait.
describe.concurrent('the rate limiter', () => {
  it('never exceeds the limit in any sliding second, across processes and call durations', async () => {
    const name = uniquePrefix();
    const limiters = Array.from({ length: 4 }, () => limiterOf(name, 50));
    const starts: number[] = [];
    const ends: number[] = [];
    const counted: number[] = [];
    const work = async (limiter: Limited, worker: number) => {
      for (let turn = 0; turn < 12; turn += 1) {
        const slot = await slotOf(limiter);
        starts.push(performance.now());
        // The provider counts the call at some point between its start and its end.
        await delay((worker * 7 + turn * 13) % 60);
        counted.push(performance.now());
        await delay((worker * 11 + turn * 5) % 30);
        ends.push(performance.now());
        slot.accepted();
        slot.close();
      }
    };
    await Promise.all(
      limiters.flatMap((limiter, one) =>
        Array.from({ length: 5 }, (_unused, worker) => work(limiter, one * 5 + worker)),
      ),
    );
    expect(counted).toHaveLength(240);
    for (const instants of [starts, counted, ends])
      expect(busiestSecond(instants)).toBeLessThanOrEqual(50);
  });

  // A busy machine can stall once.
  const serially = { concurrent: false, retry: 2 };
  it('uses at least nine tenths of the limit at saturation', serially, async () => {
    const limiter = limiterOf(uniquePrefix(), 100);
    (await slotOf(limiter)).close();
    const begin = performance.now();
    await Promise.all(
      Array.from({ length: 399 }, async () => {
        const slot = await slotOf(limiter);
        await delay(10);
        slot.close();
      }),
    );
    // A hundred run immediately (one was taken above), the rest by rate.
    expect(performance.now() - begin).toBeLessThan(3_350);
  });

  it.each([10, 150, 500])(
    'never exceeds the limit at the provider and uses most of it, at %i ms of latency with four workers',
    async (latencyMs) => {
      const name = uniquePrefix();
      const limiters = Array.from({ length: 4 }, () => limiterOf(name, 50));
      const counted: number[] = [];
      const work = async (limiter: Limited) => {
        for (let turn = 0; turn < 5; turn += 1) {
          const slot = await slotOf(limiter);
          counted.push(performance.now());
          await delay(latencyMs);
          slot.accepted();
          slot.close();
        }
      };
      await Promise.all(
        limiters.flatMap((limiter) => Array.from({ length: 20 }, () => work(limiter))),
      );
      expect(busiestSecond(counted)).toBeLessThanOrEqual(50);
      // The first second fills immediately; on a busy machine, calls take longer than they should.
      const seconds = (counted.at(-1)! - counted[0]!) / 1_000;
      expect(counted.length / (seconds + 1)).toBeGreaterThan(50 * 0.7);
    },
  );

  it.each([
    ['requests are late for two seconds and on time again', 100, 200],
    ['all calls of the first second open a connection', 0, 50],
  ])('never exceeds the limit at the provider when %s', async (_name, from, until) => {
    const limiter = limiterOf(uniquePrefix(), 50);
    const counted: number[] = [];
    const call = async (_: unknown, number: number) => {
      const slot = await slotOf(limiter);
      await delay(number >= from && number < until ? 80 : 0);
      counted.push(performance.now());
      await delay(150);
      slot.accepted();
      slot.close();
    };
    await Promise.all(Array.from({ length: 300 }, call));
    expect(busiestSecond(counted)).toBeLessThanOrEqual(50);
  });

  it('never exceeds the limit at the provider when calls are accepted slowly and others fail immediately', async () => {
    const limiter = limiterOf(uniquePrefix(), 50);
    const counted: number[] = [];
    const call = async (_: unknown, number: number) => {
      const slot = await slotOf(limiter);
      const fails = number >= 100 && number < 200;
      await delay(fails ? 150 : 0);
      counted.push(performance.now());
      if (!fails) {
        await delay(150);
        slot.accepted();
      }
      slot.close();
    };
    await Promise.all(Array.from({ length: 250 }, call));
    expect(busiestSecond(counted)).toBeLessThanOrEqual(50);
  });

  it('a slot that its process no longer reports is void', async () => {
    const limiter = limiterOf(uniquePrefix(), 5);
    (await slotOf(limiter)).close();
    const [slot] = await limiter.take([limiter.limits]);
    limiter.close();
    await delay(1_300);
    expect(await slot?.begin()).toBe(false);
    slot?.close();
  });

  it('an unused slot is free immediately', async () => {
    const limiter = limiterOf(uniquePrefix(), 1);
    const [unused] = await limiter.take([limiter.limits]);
    const begin = performance.now();
    unused?.close();
    (await slotOf(limiter)).close();
    expect(performance.now() - begin).toBeLessThan(600);
  });

  it('a text has to fit all of its limits, and others do not wait behind it', async () => {
    const limiter = limiterOf(uniquePrefix(), 10);
    const [account] = limiter.limits as [RateLimit];
    const slow = { key: 'slow', count: 1, perMs: 1_000 };
    (await slotOf(limiter)).close();
    const texts = [[account, slow], [account, slow], [account], [account]];
    const slots = await limiter.take(texts);
    expect(slots.map((slot) => slot !== null)).toEqual([true, false, true, true]);
  });

  it('texts of several senders share the limit of the account evenly', async () => {
    const limiter = limiterOf(uniquePrefix(), 6);
    const [account] = limiter.limits as [RateLimit];
    (await slotOf(limiter)).close();
    const senders = ['one', 'two', 'three'];
    const texts = senders.flatMap((key) =>
      Array.from({ length: 6 }, () => [account, { key, count: 10, perMs: 1_000 }]),
    );
    const slots = await limiter.take(texts);
    const granted = senders.map(
      (key) => texts.filter(([, sender], index) => sender?.key === key && slots[index]).length,
    );
    expect(Math.min(...granted)).toBeGreaterThan(0);
    expect(Math.max(...granted) - Math.min(...granted)).toBeLessThan(2);
  });

  it('each limit holds exactly the granted slots, at the time of their response or ahead', async () => {
    const name = uniquePrefix();
    const limiter = limiterOf(name, 20);
    const [account] = limiter.limits as [RateLimit];
    (await slotOf(limiter)).close();
    const senders = ['one', 'two', 'three'];
    const texts = senders.flatMap((key) =>
      Array.from({ length: 4 }, () => [account, { key, count: 10, perMs: 1_000 }]),
    );
    const slots = await limiter.take(texts);
    const granted = await Promise.all(senders.map((key) => slotsIn(name, key)));
    expect(granted.map(({ at }) => at.size)).toEqual([4, 4, 4]);
    const [called, open] = [
      slots.filter((_, index) => index % 4 < 2),
      slots.filter((_, index) => index % 4 === 2),
    ];
    for (const [index, slot] of slots.entries()) if (index % 4 === 3) slot?.close();
    for (const slot of [...called, ...open]) expect(await slot?.begin()).toBe(true);
    const before = (await slotsIn(name, 'one')).now;
    for (const slot of called) slot?.accepted();
    // Until the open ones are reported.
    await delay(600);
    const inAccount = await slotsIn(name, 'window');
    for (const [index, key] of senders.entries()) {
      const { at, now } = await slotsIn(name, key);
      for (const [member, instant] of at) {
        expect(granted[index]?.at.has(member)).toBe(true);
        expect(inAccount.at.has(member)).toBe(true);
        expect(instant).toBeLessThanOrEqual(now + 800);
      }
      const instants = [...at.values()].toSorted((one, other) => one - other);
      expect(instants).toHaveLength(3);
      expect(instants[0]).toBeGreaterThanOrEqual(before);
      expect(instants[1]).toBeLessThan(before + 400);
      expect(instants[2]).toBeGreaterThan(before + 800);
    }
    for (const slot of [...called, ...open]) slot?.close();
  });

  it('two senders at their limits each use at least 95% of it', { concurrent: false }, async () => {
    const limiter = limiterOf(uniquePrefix(), 50);
    const [account] = limiter.limits as [RateLimit];
    (await slotOf(limiter)).close();
    const count = 20;
    const perSender = 5 * count;
    const startsOf = async (key: string) => {
      const starts: number[] = [];
      const call = async () => {
        for (;;) {
          const [slot] = await limiter.take([[account, { key, count, perMs: 1_000 }]]);
          const isBegun = await slot!.begin();
          if (isBegun) starts.push(performance.now());
          slot!.close();
          if (isBegun) return;
        }
      };
      await Promise.all(Array.from({ length: perSender }, call));
      return starts;
    };
    for (const starts of await Promise.all(['one', 'two'].map(startsOf))) {
      expect(busiestSecond(starts)).toBeLessThanOrEqual(count);
      // The first second's start immediately.
      const seconds = (starts.at(-1)! - starts[0]!) / 1_000;
      expect((perSender - count) / seconds / count).toBeGreaterThanOrEqual(0.95);
    }
  });

  it('waits a second after Redis lost its data', async () => {
    const name = uniquePrefix();
    const limiter = limiterOf(name, 20);
    const instants: number[] = [];
    const turn = async () => {
      const slot = await slotOf(limiter);
      instants.push(performance.now());
      slot.close();
    };
    await Promise.all(Array.from({ length: 20 }, turn));
    await loseData(name);
    await Promise.all(Array.from({ length: 20 }, turn));
    expect(busiestSecond(instants)).toBeLessThanOrEqual(20);
  });

  it('leaves room for the last calls of a process killed just after Redis lost its data', async () => {
    const name = uniquePrefix();
    const [killed, other] = [limiterOf(name, 5), limiterOf(name, 5)];
    await Promise.all(Array.from({ length: 5 }, () => slotOf(killed)));
    await loseData(name);
    const turn = slotOf(other);
    await delay(300);
    const counted = performance.now();
    killed.close();
    (await turn).close();
    expect(performance.now() - counted).toBeGreaterThanOrEqual(995);
  });

  it('counts a call that takes longer than a second until its response', async () => {
    const limiter = limiterOf(uniquePrefix(), 1);
    const slot = await slotOf(limiter);
    let taken = false;
    const next = slotOf(limiter).then((one) => {
      taken = true;
      return one;
    });
    await delay(1_600);
    expect(taken).toBe(false);
    const answered = performance.now();
    slot.close();
    (await next).close();
    expect(performance.now() - answered).toBeGreaterThanOrEqual(995);
  });

  it("keeps a killed process's slots for a second after the provider counted them", async () => {
    const name = uniquePrefix();
    const [killed, other] = [limiterOf(name, 5), limiterOf(name, 5)];
    await Promise.all(Array.from({ length: 5 }, () => slotOf(killed)));
    // Before it has reported the calls as in flight.
    await delay(300);
    const counted = performance.now();
    killed.close();
    (await slotOf(other)).close();
    expect(performance.now() - counted).toBeGreaterThanOrEqual(995);
  });

  it('rejects waiters when its queue is closed, and keeps granted slots', async () => {
    const limiter = limiterOf(uniquePrefix(), 1);
    const slot = await slotOf(limiter);
    const take = () => limiter.take([limiter.limits]);
    const waiting = [take(), take()];
    limiter.closeLine();
    expect(await Promise.all([...waiting, take()])).toEqual([[], [], []]);
    slot.close();
  });

  it("applies the provider's retry-after to everyone", async () => {
    const name = uniquePrefix();
    const [one, other] = [limiterOf(name, 10), limiterOf(name, 10)];
    (await slotOf(one)).close();
    const begin = performance.now();
    await one.hold(700);
    (await slotOf(other)).close();
    expect(performance.now() - begin).toBeGreaterThanOrEqual(650);
  });
});
