import { once } from 'node:events';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { createOpsServer } from '@daylift/server/ops-server';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createHarness, type Harness } from '../test/harness.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
});
afterAll(() => harness.close());

const get = (url: string, accept = 'text/html,application/xhtml+xml,*/*;q=0.8') =>
  harness.call({ url, headers: { accept } });

describe('The two apps', () => {
  it.each([
    '/',
    '/signup',
    '/signup?plan=yearly',
    '/login',
    '/dashboard',
    '/success?session_id=cs_test_1',
    '/terms',
    '/index.html',
    '/administrator',
  ])('%s is a page for subscribers', async (url) => {
    const response = await get(url);
    expect(response.statusCode).toBe(200);
    expect(response.body).toContain('<title>web</title>');
    expect(response.headers['content-type']).toContain('text/html');
    expect(response.headers['cache-control']).toBe('no-cache');
  });

  it.each(['/admin', '/admin/', '/admin/login', '/admin/dashboard', '/admin/dashboard?tab=sms'])(
    '%s is a page for operators',
    async (url) => {
      const response = await get(url);
      expect(response.statusCode).toBe(200);
      expect(response.body).toContain('<title>adminWeb</title>');
      expect(response.headers['cache-control']).toBe('no-cache');
    },
  );

  it('serves immutable and mutable files with matching cache headers', async () => {
    const built = await get('/assets/app-4f3a.js');
    expect(built.body).toBe('// web');
    expect(built.headers).toMatchObject({
      'cache-control': 'public, max-age=31536000, immutable',
      'content-type': expect.stringContaining('javascript'),
    });
    expect((await get('/admin/assets/app-4f3a.js')).body).toBe('// adminWeb');
    const icon = await get('/favicon.svg');
    expect(icon.headers).toMatchObject({
      'cache-control': 'public, max-age=3600',
      'content-type': 'image/svg+xml',
    });
  });

  it('sends the precompressed file to clients that accept it, with Vary', async () => {
    const compressed = (url: string, encoding: string) =>
      harness.call({ url, headers: { accept: '*/*', 'accept-encoding': encoding } });
    const code = 'const morning = 1;'.repeat(200);
    for (const [name, text] of [
      ['assets/big-1a2b.js', code],
      ['index.html', '<!doctype html><title>web</title>'],
    ] as const) {
      const path = join(harness.dists.web, name);
      await writeFile(path, text);
      await writeFile(`${path}.br`, brotliCompressSync(text));
      await writeFile(`${path}.gz`, gzipSync(text));
      const plain = await compressed(`/${name}`, 'identity');
      expect([plain.headers['content-encoding'], plain.body]).toEqual([undefined, text]);
      const best = await compressed(`/${name}`, 'gzip, deflate, br');
      expect(best.headers).toMatchObject({
        'content-encoding': 'br',
        'content-type': plain.headers['content-type'],
        'cache-control': plain.headers['cache-control'],
        vary: expect.stringContaining('accept-encoding'),
      });
      expect(brotliDecompressSync(best.rawPayload).toString()).toBe(text);
      const older = await compressed(`/${name}`, 'gzip');
      expect(gunzipSync(older.rawPayload).toString()).toBe(text);
    }
    const without = await compressed('/admin/assets/app-4f3a.js', 'br, gzip');
    expect([without.headers['content-encoding'], without.body]).toEqual([undefined, '// adminWeb']);
    expect((await compressed('/assets/app-0000.js', 'br')).statusCode).toBe(404);
  });

  it('responds 404 for a missing file instead of a page', async () => {
    for (const url of ['/assets/app-0000.js', '/admin/assets/app-0000.js', '/nothing.txt']) {
      const response = await get(url);
      expect(response.statusCode).toBe(404);
      expect(response.headers['content-type']).toContain('application/json');
      expect(response.headers['cache-control']).toBe('no-store');
    }
    expect((await get('/nothing', 'application/json')).statusCode).toBe(404);
  });

  it.each([
    '/../outside.txt',
    '/..%2foutside.txt',
    '/assets/..%2f..%2foutside.txt',
    '/%2e%2e/outside.txt',
    '/admin/..%2f..%2foutside.txt',
    '/.hidden.txt',
    '/assets/%00.js',
    '/%5c..%5coutside.txt',
  ])('%s reveals nothing unpublished', async (url) => {
    const response = await get(url);
    expect(response.statusCode).toBeLessThan(500);
    expect(response.body).not.toContain('outside');
    expect(response.body).not.toContain('hidden');
  });

  it('allows only scripts of the build, on pages and API responses', async () => {
    for (const url of ['/', '/admin', '/api/faqs', '/api/nothing']) {
      const { headers } = await get(url);
      const policy = String(headers['content-security-policy']).split(';');
      expect(policy).toContain("script-src 'self'");
      expect(policy).toContain("default-src 'self'");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).toContain("object-src 'none'");
      expect(policy).toContain("base-uri 'none'");
      expect(policy).toContain("connect-src 'self'");
      expect(policy.filter((one) => one.includes('unsafe'))).toEqual([
        "style-src 'self' 'unsafe-inline'",
      ]);
      expect(headers).toMatchObject({
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'SAMEORIGIN',
        'referrer-policy': 'no-referrer',
      });
    }
  });
});

describe('Files for crawlers and home screens', () => {
  it('exclude personal pages, and name the sitemap', async () => {
    const robots = await get('/robots.txt');
    expect(robots.headers['content-type']).toContain('text/plain');
    for (const path of ['/api/', '/admin', '/dashboard', '/success'])
      expect(robots.body).toContain(`Disallow: ${path}\n`);
    expect(robots.body).toContain('Sitemap: https://daylift.example/sitemap.xml');
  });

  it('list the public pages with their full addresses', async () => {
    await buildRenderer();
    const map = await get('/sitemap.xml');
    expect(map.headers['content-type']).toContain('xml');
    expect([...map.body.matchAll(/<loc>(.*?)<\/loc>/g)].map(([, address]) => address)).toEqual([
      'https://daylift.example/',
      'https://daylift.example/signup',
    ]);
  });

  it('use the configured name', async () => {
    const manifest = await get('/site.webmanifest');
    expect(manifest.headers['content-type']).toContain('application/manifest+json');
    expect(manifest.json()).toMatchObject({ name: 'Daylift', start_url: '/dashboard' });
  });
});

/** A fake build that renders each page as one line with its inputs. */
async function buildRenderer(): Promise<void> {
  const { web } = harness.dists;
  await mkdir(join(web, '.server'), { recursive: true });
  await mkdir(join(web, '.vite'), { recursive: true });
  await writeFile(join(web, '.vite', 'manifest.json'), '{"index.html":{"file":"app.js"}}');
  await writeFile(join(web, 'index.html'), '<!doctype html><title>web</title>');
  for (const packed of ['br', 'gz']) await rm(join(web, `index.html.${packed}`), { force: true });
  await writeFile(
    join(web, '.server', 'entry-server.js'),
    `let times = 0;
    export const sitemapPaths = ['/', '/signup'];
    export const prerenderKey = (path, search) => path === '/dashboard' ? null
      : !sitemapPaths.includes(path) ? '/404' : search.includes('yearly') ? path + '?yearly' : path;
    export const renderPage = async ({ address, catalogue, faqs, manifest, publicUrl }) => ({
      status: address === '/404' ? 404 : 200,
      html: [address, catalogue.answered_by, faqs?.answered_by ?? 'none', manifest['index.html'].file, publicUrl, times += 1].join(' '),
    });`,
  );
}

describe('Public pages', () => {
  beforeAll(buildRenderer);

  it('are prerendered with the catalogue and the questions, once for all visitors', async () => {
    const first = await get('/signup?plan=yearly');
    expect(first.body).toMatch(
      /^\/signup\?yearly billing content app.js https:\/\/daylift.example \d+$/,
    );
    expect(first.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-cache',
      vary: 'accept-encoding',
    });
    expect((await get('/signup?plan=yearly&utm=1')).body).toBe(first.body);
  });

  it('are prerendered without the questions while content is unavailable', async () => {
    await buildRenderer();
    await harness.upstreams.content.close();
    expect((await get('/')).body).toContain('billing none app.js');
    await harness.restart('content');
    await buildRenderer();
  });

  it('are compressed if the client accepts it', async () => {
    const load = (encoding: string) =>
      harness.call({ url: '/', headers: { accept: 'text/html', 'accept-encoding': encoding } });
    const plain = (await load('identity')).body;
    const best = await load('gzip, br');
    expect(best.headers['content-encoding']).toBe('br');
    expect(brotliDecompressSync(best.rawPayload).toString()).toBe(plain);
    expect(gunzipSync((await load('gzip')).rawPayload).toString()).toBe(plain);
  });

  it('respond 404 for unknown URLs, and leave personal pages to the browser', async () => {
    expect((await get('/no-such-page')).statusCode).toBe(404);
    const own = await get('/dashboard');
    expect([own.statusCode, own.body]).toEqual([
      200,
      expect.stringContaining('<title>web</title>'),
    ]);
  });
});

describe('GET /readyz', () => {
  const findUnavailable = async () =>
    (await createOpsServer(harness.app).inject({ url: '/readyz' })).json().detail;

  it('responds 200 once every service and both apps are up; only the ops server names missing ones', async () => {
    expect((await get('/readyz')).statusCode).toBe(200);
    await harness.upstreams.billing.close();
    const waiting = await get('/readyz');
    expect(waiting.statusCode).toBe(503);
    expect(waiting.json()).toMatchObject({ detail: 'Not ready yet.' });
    expect(await findUnavailable()).toBe('Not ready yet: billing.');
  });

  it('serves cached pages while billing hangs, before the attempt to render them fails', async () => {
    const { port } = new URL(harness.urls.billing);
    const hanging = createServer(() => undefined).listen(Number(port), '127.0.0.1');
    await once(hanging, 'listening');
    const warn = vi.spyOn(harness.app.log, 'warn');
    vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 60_000);
    const pages = [await get('/'), await get('/')];
    const failures = warn.mock.calls.length;
    hanging.close();
    hanging.closeAllConnections();
    await vi.waitFor(() => expect(warn).toHaveBeenCalled());
    vi.restoreAllMocks();
    for (const { body } of pages) expect(body).toContain('billing content app.js');
    expect(failures).toBe(0);
  });

  it('serves cached pages, and unrendered ones otherwise, while billing is unavailable', async () => {
    const minuteLater = performance.now() + 120_000;
    vi.spyOn(performance, 'now').mockReturnValue(minuteLater);
    const warn = vi.spyOn(harness.app.log, 'warn');
    const cached = [...(await Promise.all([get('/'), get('/')])), await get('/')];
    const failures = warn.mock.calls.filter(([, words]) => words === 'page prerender failed');
    const [unrendered] = [await get('/signup'), await get('/signup')];
    const allFailures = warn.mock.calls.filter(([, words]) => words === 'page prerender failed');
    vi.restoreAllMocks();
    for (const { body } of cached) expect(body).toContain('billing content app.js');
    expect([failures.length, allFailures.length]).toEqual([1, 2]);
    expect([unrendered.statusCode, unrendered.body]).toEqual([
      200,
      expect.stringContaining('<title>web</title>'),
    ]);
  });

  it('waits for the pages, which until then explain what to do', async () => {
    await rm(join(harness.dists.web, '.server'), { recursive: true });
    await rm(join(harness.dists.web, 'index.html'));
    const page = await get('/');
    expect([page.statusCode, page.body]).toEqual([503, expect.stringContaining('npm start')]);
    expect(await findUnavailable()).toBe('Not ready yet: billing, pages.');
    expect((await get('/admin')).statusCode).toBe(200);
  });
});
