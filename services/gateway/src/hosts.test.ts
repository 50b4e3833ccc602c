import { afterAll, beforeAll, expect, it } from 'vitest';
import { createHarness, type Harness } from '../test/harness.ts';
import { hostNameOf, originForm } from './hosts.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness({
    adminUrl: 'https://admin.daylift.example:8443',
    allowedHosts: ['www.daylift.example'],
    allowsLoopback: false,
  });
});
afterAll(() => harness.close());

const product = 'daylift.example';
const admin = 'admin.daylift.example';
const spellings = (name: string) => [
  name,
  `${name}:443`,
  `${name}:8443`,
  `${name}.`,
  `${name}.:443`,
  name.toUpperCase(),
];

async function statusAt(host: string, url: string, headers = {}): Promise<number> {
  const method = url === '/api/admin/login' ? 'POST' : 'GET';
  return (await harness.call({ method, url, headers: { host, accept: 'text/html', ...headers } }))
    .statusCode;
}

it.each([
  '/admin',
  '/admin/login',
  '/%61dmin/login',
  '/admin/assets/app-4f3a.js',
  '/api/admin/users',
  '/api/admin/login',
])('%s is served only on the admin host, however it is spelled', async (url) => {
  for (const host of [...spellings(product), 'www.daylift.example'])
    expect([host, await statusAt(host, url)]).toEqual([host, 404]);
  for (const host of spellings(admin)) expect(await statusAt(host, url)).not.toBe(404);
});

it.each(['/login', '/assets/app-4f3a.js'])(
  'the admin host serves no subscriber page: %s',
  async (url) => {
    for (const host of spellings(admin)) expect(await statusAt(host, url)).toBe(404);
    for (const host of [...spellings(product), 'www.daylift.example'])
      expect(await statusAt(host, url)).toBe(200);
  },
);

it('the root of the admin host redirects to the admin pages', async () => {
  const response = await harness.call({ url: '/', headers: { host: admin } });
  expect([response.statusCode, response.headers.location]).toEqual([302, '/admin']);
});

it.each([
  'attacker.example',
  '10.0.0.7:8080',
  'localhost',
  '127.0.0.1:8080',
  `${product}..`,
  `${product}@attacker.example`,
  `${product},${admin}`,
  `${product}:8080:80`,
  '',
])('an unknown host gets 421 everywhere: "%s"', async (host) => {
  for (const url of ['/', '/admin/login', '/api/admin/users', '/readyz', '/nothing'])
    expect(await statusAt(host, url)).toBe(421);
  const response = await harness.call({ url: '/api/faqs', headers: { host } });
  expect(response.json()).toMatchObject({
    code: 'UNKNOWN_HOST',
    detail: expect.stringContaining('ALLOWED_HOSTS'),
  });
});

it('X-Forwarded-Host is ignored', async () => {
  expect(await statusAt(product, '/admin/login', { 'x-forwarded-host': admin })).toBe(404);
  expect(await statusAt('attacker.example', '/', { 'x-forwarded-host': product })).toBe(421);
});

it('host names are compared without case, port and trailing dot', () => {
  for (const spelled of spellings(product)) expect(hostNameOf(spelled)).toBe(product);
  expect(hostNameOf('[::1]:8080')).toBe('[::1]');
  expect(originForm({ url: `HTTP://${admin}:80/api/users/me?a=1` })).toBe('/api/users/me?a=1');
  expect(originForm({ url: `http://${admin}` })).toBe('/');
  expect(originForm({ url: `http://${admin}?a=1` })).toBe('/?a=1');
});

it.each(['/metrics', '/healthz', '/internal/settle'])('%s is not public', async (url) => {
  const headers = { host: product, accept: 'application/json' };
  expect((await harness.call({ url, headers })).statusCode).toBe(404);
});

it('loopback is allowed with the sandbox, and a single host then serves admin pages too', async () => {
  const one = await createHarness({ allowsLoopback: true });
  for (const host of [product, 'localhost:8080', '127.0.0.1:8080', '[::1]:8080'])
    expect((await one.call({ url: '/admin/login', headers: { host } })).statusCode).toBe(200);
  expect((await one.call({ url: '/', headers: { host: '10.0.0.7' } })).statusCode).toBe(421);
  await one.close();
});
