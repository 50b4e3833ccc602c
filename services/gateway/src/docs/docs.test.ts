import { createServer, type Server } from '@daylift/server/create-server';
import { Type } from 'typebox';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createHarness, type Harness } from '../../test/harness.ts';
import { apiRoutes } from '../routes-table.ts';
import { type Description, joinDescriptions } from './join-descriptions.ts';
import { summaries } from './summaries.ts';

interface Document {
  openapi: string;
  info: { title: string; description: string };
  paths: Record<string, Record<string, { security: object[]; responses: Record<string, object> }>>;
}

const told = apiRoutes.filter((route) => route.access !== 'webhook');

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
});
afterAll(() => harness.close());

describe('The description of the API', () => {
  let service: Server;
  let document: Document;
  beforeAll(async () => {
    service = await createServer({ name: 'test', logLevel: 'silent', readiness: {} });
    const answer = Type.Object({ taken: Type.Union([Type.String(), Type.Null()]) });
    for (const { method, path } of apiRoutes) {
      const schema = { response: { 200: answer, 409: answer } };
      service.route({ method, url: path, schema, handler: async () => ({ taken: null }) });
    }
    service.get('/internal/secret', async () => 'x');
    await service.ready();
    const description = service.swagger() as Description;
    const paths = Object.fromEntries(
      Object.entries(description.paths ?? {}).map(([path, item]) => [`/api${path}`, item]),
    );
    document = joinDescriptions('Morning', {
      accounts: description,
      billing: description,
      content: description,
      scheduler: description,
      'sms-gateway': description,
      gateway: { paths, 'x-errors': [{ code: 'A_CODE', detail: 'Words.', status: 409 }] },
    }) as Document;
  });
  afterAll(() => service.close());

  it.each(told.map((route) => [`${route.method} ${route.path}`, route] as const))(
    'holds %s, in words and with every refusal of this door',
    (name, { method, path, access }) => {
      const operation =
        document.paths[`/api${path.replaceAll(/:(\w+)/g, '{$1}')}`]?.[method.toLowerCase()];
      expect(summaries[name]).toMatch(/^[A-Z]/);
      const closed = access === 'public' || access === 'visitor' ? [] : ['401', '403'];
      const withBody = method === 'POST' || method === 'PUT' ? ['413', '415'] : [];
      expect(Object.keys(operation?.responses ?? {})).toEqual([
        '200',
        '400',
        ...closed,
        '409',
        ...withBody,
        '429',
        '503',
      ]);
      const scheme = { public: [], visitor: [{ user: [] }, {}], user: [{ user: [] }] };
      expect(operation?.security).toEqual(
        access in scheme ? scheme[access as 'user'] : [{ admin: [] }],
      );
    },
  );

  it('holds nothing else: no webhook, no inside', () => {
    expect(Object.keys(summaries).toSorted()).toEqual(
      told.map(({ method, path }) => `${method} ${path}`).toSorted(),
    );
    const paths = new Set(told.map(({ path }) => `/api${path.replaceAll(/:(\w+)/g, '{$1}')}`));
    expect(new Set(Object.keys(document.paths))).toEqual(paths);
  });

  it('tells every error by its code', () => {
    expect(document.info.title).toBe('Morning API');
    expect(document.info.description).toContain('| 409 | `A_CODE` | Words. |');
  });
});

describe('GET /api/docs', () => {
  it('is a page whose scripts are files of this door, under the policy of every other page', async () => {
    const page = await harness.call({ url: '/api/docs' });
    expect(page.statusCode).toBe(200);
    expect(page.headers['content-type']).toContain('text/html');
    expect(page.body).toContain('<title>Daylift API</title>');
    expect(page.body).not.toMatch(/<script(?! src=)/);
    const policy = page.headers['content-security-policy'];
    expect(policy).toBe((await harness.call({ url: '/' })).headers['content-security-policy']);
    const sources = [...page.body.matchAll(/(?:src|href)="([^"]+)"/g)].map(
      ([, path]) => path ?? '',
    );
    expect(sources.length).toBeGreaterThan(3);
    for (const source of sources.filter((one) => !one.startsWith('http'))) {
      const url = new URL(source, 'http://x/api/docs').pathname;
      expect([url, (await harness.call({ url })).statusCode]).toEqual([url, 200]);
    }
  });

  it('reads what the services say of themselves, and says so when one of them is silent', async () => {
    await harness.upstreams.content.close();
    const silent = await harness.call({ url: '/api/docs/json' });
    expect([silent.statusCode, silent.json().code]).toEqual([503, 'UNAVAILABLE']);
    await harness.restart('content');
    const document = (await harness.call({ url: '/api/docs/json' })).json<Document>();
    expect(document.openapi).toBe('3.1.0');
    expect(Object.keys(document.paths)).toEqual([
      '/api/admin/analytics',
      '/api/admin/live',
      '/api/admin/parked',
    ]);
    expect(document.info.description).toContain('`TOO_MANY_REQUESTS`');
  });

  it('is not what the services tell strangers', async () => {
    const answer = await fetch(`${harness.urls.content}/internal/openapi`);
    expect(answer.status).toBe(401);
  });
});
