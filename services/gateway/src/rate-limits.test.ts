import { once } from 'node:events';
import { eventually } from '@daylift/testing/eventually';
import { requiredUrl } from '@daylift/testing/servers';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { anAddress, createHarness, type Harness } from '../test/harness.ts';
import { blockLimits, hourLimits, limits } from './rate-limits.ts';

let harness: Harness;
let redis: Redis;
beforeAll(async () => {
  redis = new Redis(requiredUrl('TEST_REDIS_URL'), {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    lazyConnect: true,
  });
  redis.on('error', () => undefined);
  await redis.connect();
  harness = await createHarness({ redis });
});
afterAll(async () => {
  await harness.close();
  redis.disconnect();
});

const cases = [
  ['POST', '/api/users/login', 'login'],
  ['POST', '/api/admin/login', 'login'],
  ['POST', '/api/subscriptions', 'signup'],
  ['POST', '/api/users/set-password', 'code'],
  ['POST', '/api/payments/create-checkout', 'checkout'],
  ['GET', '/api/payments/status/cs_test_1', 'payment-status'],
  ['GET', '/api/promotions/SUMMER?plan=monthly', 'promotion'],
  ['POST', '/api/contact', 'letter'],
  ['GET', '/api/faqs', 'general'],
] as const;
const calls = async (times: number, method: 'GET' | 'POST', url: string, remoteAddress: string) => {
  const responses = [];
  for (let call = 0; call < times; call += 1)
    responses.push(await harness.call({ method, url, remoteAddress }));
  return responses;
};

describe('One address', () => {
  it.each(cases)('may call %s %s up to the limit', async (method, url, rate) => {
    const address = anAddress();
    const { points: max, duration } = limits[rate];
    const allowed = await calls(max, method, url, address);
    expect(allowed.filter((response) => response.statusCode >= 300)).toEqual([]);
    const [refused] = await calls(1, method, url, address);
    expect(refused?.statusCode).toBe(429);
    expect(refused?.json()).toEqual({
      detail: expect.stringMatching(
        /^Too many requests\. Please try again in \d+ (second|minute)s?\.$/,
      ),
      code: 'TOO_MANY_REQUESTS',
      request_id: expect.any(String),
    });
    const wait = Number(refused?.headers['retry-after']);
    expect(wait).toBeGreaterThan(0);
    expect(wait).toBeLessThanOrEqual(duration);
    const [fromOther] = await calls(1, method, url, anAddress());
    expect(fromOther?.statusCode).toBeLessThan(300);
  });

  it('has one limit for both logins, and separate ones for the rest', async () => {
    const address = anAddress();
    await calls(10, 'POST', '/api/users/login', address);
    const [admin] = await calls(1, 'POST', '/api/admin/login', address);
    expect(admin?.statusCode).toBe(429);
    const [faqs] = await calls(1, 'GET', '/api/faqs', address);
    expect(faqs?.statusCode).toBe(200);
  });

  it("can't use up the code requests of its block within an hour", async () => {
    const address = anAddress();
    const request = (times: number, from: string) =>
      calls(times, 'POST', '/api/users/set-password', from);
    const statuses = [];
    for (let minute = 0; minute < 3; minute += 1) {
      const some = await request(limits.code.points, address);
      statuses.push(...some.map(({ statusCode }) => statusCode));
      await redis.del(`rate-limit:code:${address}`);
    }
    expect(statuses.filter((status) => status < 300)).toHaveLength(hourLimits.code?.points ?? 0);
    expect(statuses.at(-1)).toBe(429);
    const neighbor = address.replace(/\d+$/, '255');
    expect((await request(1, neighbor))[0]?.statusCode).toBeLessThan(300);
  });

  it('is limited in plan previews, which call the payment provider', async () => {
    const { token } = harness.userToken();
    const remoteAddress = anAddress();
    const refresh = () => harness.call({ url: '/api/users/me/plan/preview', token, remoteAddress });
    const statuses = [];
    for (let call = 0; call <= limits.checkout.points; call += 1)
      statuses.push((await refresh()).statusCode);
    expect(statuses.filter((status) => status === 200)).toHaveLength(limits.checkout.points);
    expect(statuses.at(-1)).toBe(429);
  });

  it.each(['/api/users/login', '/api/admin/login'])(
    "doesn't use up its limit for %s by responses that failed on our side",
    async (url) => {
      const address = anAddress();
      const { points: max } = limits.login;
      for (let call = 0; call <= max; call += 1) {
        harness.state.next = { status: call % 2 ? 500 : 503, headers: {}, body: null };
        const [failed] = await calls(1, 'POST', url, address);
        expect(failed?.statusCode).toBeGreaterThanOrEqual(500);
      }
      await eventually(async () => (await redis.get(`rate-limit:login:${address}`)) === '0');
      for (let call = 0; call < max; call += 1) {
        harness.state.next = { status: 401, headers: {}, body: null };
        const [wrong] = await calls(1, 'POST', url, address);
        expect(wrong?.statusCode).toBe(401);
      }
      const [refused] = await calls(1, 'POST', url, address);
      expect(refused?.statusCode).toBe(429);
    },
  );

  it('gets no additional sign-ins by parallel calls, and no fewer afterwards', async () => {
    const address = anAddress();
    await harness.upstreams.accounts.close();
    const all = await Promise.all(
      Array.from({ length: 3 * limits.login.points }, () =>
        calls(1, 'POST', '/api/users/login', address),
      ),
    );
    await harness.restart('accounts');
    const statuses = all.flat().map((response) => response.statusCode);
    expect(statuses.filter((status) => status === 429).length).toBeGreaterThan(0);
    expect(Number(await redis.pttl(`rate-limit:login:${address}`))).toBeGreaterThan(0);
    await eventually(async () => (await redis.get(`rate-limit:login:${address}`)) === '0');
  });

  it('is a whole network for IPv6', async () => {
    await calls(10, 'POST', '/api/users/login', '2001:db8:77:1::1');
    const [same] = await calls(1, 'POST', '/api/users/login', '2001:db8:77:1:ffff::2');
    expect(same?.statusCode).toBe(429);
    await redis.del(...(await redis.keys('rate-limit:*2001:db8*')));
  });

  it("isn't limited for webhooks", async () => {
    const responses = await calls(320, 'POST', '/api/webhooks/stripe', anAddress());
    expect(responses.filter((response) => response.statusCode !== 201)).toEqual([]);
  });
});

describe('One block of addresses', () => {
  it.each([
    ['a /24', (host: number) => `198.19.0.${host}`, '198.19.1.1'],
    ['a /48', (host: number) => `2001:db8:99:${host}::1`, '2001:db8:9a:1::1'],
  ])('may sign up and request codes up to its limit: %s', async (_what, addressOf, neighbor) => {
    const urls = { signup: '/api/subscriptions', code: '/api/users/set-password' } as const;
    for (const rate of ['signup', 'code'] as const) {
      const { points: max } = blockLimits[rate] ?? { points: 0 };
      const addresses = Math.ceil(max / limits[rate].points) + 2;
      const statuses = [];
      for (let host = 1; host <= addresses; host += 1)
        for (const { statusCode } of await calls(
          limits[rate].points,
          'POST',
          urls[rate],
          addressOf(host),
        ))
          statuses.push(statusCode);
      expect(statuses.filter((status) => status < 300)).toHaveLength(max);
      expect(statuses.at(-1)).toBe(429);
      const [fromNeighbor] = await calls(1, 'POST', urls[rate], neighbor);
      expect(fromNeighbor?.statusCode).toBeLessThan(300);
    }
    const [login] = await calls(1, 'POST', '/api/users/login', addressOf(1));
    expect(login?.statusCode).toBeLessThan(300);
    for (const pattern of ['*-limit:*198.19.*', '*-limit:*2001:db8:9*'])
      await redis.del('none', ...(await redis.keys(pattern)));
  });
});

describe('Without Redis', () => {
  it('no one is rejected', async () => {
    const lost = once(redis, 'end');
    redis.disconnect();
    await lost;
    const responses = await calls(15, 'POST', '/api/users/login', anAddress());
    expect(responses.filter((response) => response.statusCode !== 201)).toEqual([]);
    await redis.connect();
  });
});
