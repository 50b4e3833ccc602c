import { afterAll, beforeAll, expect, it } from 'vitest';
import { createHarness, type Harness } from '../test/harness.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness({ adminUrl: 'https://admin.daylift.example' });
});
afterAll(() => harness.close());

const product = 'daylift.example';
const operators = 'admin.daylift.example';
const inside = '10.0.0.7:8080';

async function statusAt(host: string, url: string): Promise<number> {
  const headers = { host, accept: 'text/html' };
  return (await harness.call({ url, headers })).statusCode;
}

it.each([
  '/admin',
  '/admin/login',
  '/%61dmin/login',
  '/admin/assets/app-4f3a.js',
  '/api/admin/users',
])('the product’s host shows nothing of the operators’: %s', async (url) => {
  expect(await statusAt(product, url)).toBe(404);
  expect(await statusAt(product.toUpperCase(), url)).toBe(404);
  expect(await statusAt(operators, url)).not.toBe(404);
});

it.each(['/login', '/assets/app-4f3a.js'])(
  'the operators’ host has no page of the product: %s',
  async (url) => {
    expect(await statusAt(operators, url)).toBe(404);
    expect(await statusAt(product, url)).toBe(200);
  },
);

it('whoever opens the operators’ host as it is gets to their pages', async () => {
  const answer = await harness.call({ url: '/', headers: { host: operators } });
  expect([answer.statusCode, answer.headers.location]).toEqual([302, '/admin']);
});

it.each(['/metrics', '/healthz'])('%s is for the inside alone', async (url) => {
  expect(await statusAt(product, url)).toBe(404);
  expect(await statusAt(operators, url)).toBe(404);
  expect(await statusAt(inside, url)).toBe(200);
});

it('without a host of their own operators are at the product’s', async () => {
  const one = await createHarness();
  const answer = await one.call({ url: '/admin/login', headers: { host: product } });
  await one.close();
  expect(answer.statusCode).toBe(200);
});
