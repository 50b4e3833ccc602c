import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createHarness, type Harness } from '../../test/harness.ts';
import { apiRoutes } from '../routes-table.ts';
import { describeApi, describeErrors } from './describe-api.ts';

interface Document {
  openapi: string;
  info: { title: string; description: string };
  paths: Record<string, Record<string, Operation>>;
}
interface Operation {
  summary: string;
  parameters?: { name: string; in: string }[];
  security: object[];
  responses: Record<string, object>;
}

const described = apiRoutes.filter((route) => route.access !== 'webhook');
const pathOf = (path: string) => `/api${path.replaceAll(/:(\w+)/g, '{$1}')}`;

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
});
afterAll(() => harness.close());

describe('The OpenAPI document', () => {
  const document = describeApi('Morning') as unknown as Document;

  it.each(described.map((route) => [`${route.method} ${route.path}`, route] as const))(
    'has %s with a summary, its path parameters and every error of the gateway',
    (_name, { method, path, access }) => {
      const operation = document.paths[pathOf(path)]?.[method.toLowerCase()];
      expect(operation?.summary).toMatch(/^[A-Z]/);
      const closed = access === 'public' || access === 'visitor' ? [] : ['401', '403'];
      const withBody = method === 'POST' || method === 'PUT' ? ['413', '415'] : [];
      const statuses = Object.keys(operation?.responses ?? {});
      expect(statuses).toEqual(
        expect.arrayContaining(['400', ...closed, ...withBody, '429', '503']),
      );
      expect(statuses.some((status) => /^2\d\d$/.test(status))).toBe(true);
      expect(
        operation?.parameters?.filter((one) => one.in === 'path').map(({ name }) => name) ?? [],
      ).toEqual([...path.matchAll(/:(\w+)/g)].map(([, name]) => name));
      const scheme = { public: [], visitor: [{ user: [] }, {}], user: [{ user: [] }] };
      expect(operation?.security).toEqual(
        access in scheme ? scheme[access as 'user'] : [{ admin: [] }],
      );
    },
  );

  it('contains no webhook and no internal endpoint', () => {
    expect(new Set(Object.keys(document.paths))).toEqual(
      new Set(described.map(({ path }) => pathOf(path))),
    );
  });

  it('lists every error by its code', () => {
    expect(document.info.title).toBe('Morning API');
    expect(describeErrors([{ code: 'A_CODE', detail: 'Words.', status: 409 }])).toContain(
      '| 409 | `A_CODE` | Words. |',
    );
  });
});

describe('GET /api/docs', () => {
  it('is a page with our own scripts, under the same policy as other pages', async () => {
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

  it('responds 503 while a service is down, and works again afterwards', async () => {
    await harness.upstreams.content.close();
    const down = await harness.call({ url: '/api/docs/json' });
    expect([down.statusCode, down.json().code]).toEqual([503, 'UNAVAILABLE']);
    await harness.restart('content');
    const document = (await harness.call({ url: '/api/docs/json' })).json<Document>();
    expect(document.openapi).toBe('3.1.0');
    expect(Object.keys(document.paths)).toContain('/api/admin/live');
    expect(document.info.description).toContain('`TOO_MANY_REQUESTS`');
  });

  it('needs a service identity to read error tables', async () => {
    const response = await fetch(`${harness.urls.content}/internal/errors`);
    expect(response.status).toBe(401);
  });
});
