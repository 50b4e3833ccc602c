import { systemClock } from '@daylift/clock/clock';
import { exportTraces } from '@daylift/telemetry/export-traces';
import { eventually } from '@daylift/testing/eventually';
import { testIdentityKey } from '@daylift/testing/identity';
import {
  type CollectedSpan,
  startTraceCollector,
  type TraceCollector,
} from '@daylift/testing/trace-collector';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createServer, type Server } from './create-server.ts';
import { createInternalClient } from './internal-client.ts';
import { createLogger } from './logger.ts';
import { createLoops } from './loops.ts';

const lines: string[] = [];
const log = createLogger('test', 'info', { write: (line) => void lines.push(line) });

let collector: TraceCollector;
let stopExport: () => Promise<void>;
const ran = Promise.withResolvers<void>();
const loops = createLoops(
  [
    {
      name: 'work of all',
      run: async () => {
        log.info('looked');
        ran.resolve();
        return 0;
      },
    },
  ],
  { clock: systemClock, log },
);
let inside: Server;
let publicServer: Server;
beforeAll(async () => {
  collector = await startTraceCollector();
  stopExport = exportTraces({
    service: 'test',
    endpoint: collector.url,
    headers: 'authorization=Basic%20dGVzdDprZXk=,x-tenant=daylift',
    ratio: 1,
  });
  inside = createServer({ name: 'inside', logLevel: 'silent', readiness: {} });
  inside.get('/people/:id', async () => {
    log.info('asked');
    return { name: 'Ada' };
  });
  inside.get('/broken', async () => {
    throw Object.assign(new Error('no way to +14155550101'), { code: 'EHOSTUNREACH' });
  });
  const client = createInternalClient({
    key: testIdentityKey('gateway'),
    to: 'inside',
    baseUrl: await inside.listen({ port: 0 }),
  });
  publicServer = createServer({
    name: 'door',
    logLevel: 'silent',
    readiness: {},
    publicServer: { requestIdHeader: false },
  });
  publicServer.get('/ask/:id', async () => client.get('/people/p-4711-q'));
  publicServer.post('/ask', async () => client.get('/people/p-4711-q'));
  publicServer.get('/nudge', async () => {
    loops.nudge('work of all');
    log.info('nudged');
  });
  publicServer.get('/break', async () => client.get('/broken'));
});
afterAll(async () => {
  await Promise.all([publicServer.close(), inside.close()]);
  await stopExport();
  collector.close();
});

const named = (name: string, count = 1): Promise<CollectedSpan[]> =>
  eventually(() => {
    const found = collector.spans().filter((span) => span.name === name);
    return found.length >= count && found;
  });

test('a request is one trace through every service it calls', async () => {
  await publicServer.inject({ url: '/ask/p-4711-q?token=secret-token' });
  const [outer] = await named('GET /ask/:id');
  const [inner] = await named('GET /people/:id');
  expect(outer).toMatchObject({
    parent_id: null,
    attributes: { 'http.request.method': 'GET', 'http.route': '/ask/:id' },
  });
  expect(inner).toMatchObject({ trace_id: outer?.trace_id, parent_id: outer?.span_id });
  expect(collector.raw()).not.toMatch(/p-4711-q|secret-token|Ada/);
  expect(collector.headers()).toMatchObject({
    authorization: 'Basic dGVzdDprZXk=',
    'x-tenant': 'daylift',
  });
});

test('the trace continues after a parsed body', async () => {
  const before = (await named('GET /people/:id')).length;
  await publicServer.inject({ method: 'POST', url: '/ask', payload: { phone: '+14155550101' } });
  const [outer] = await named('POST /ask');
  const inner = (await named('GET /people/:id', before + 1)).at(-1);
  expect(inner?.trace_id).toBe(outer?.trace_id);
});

test("external callers can't set our traces, and internal calls start none", async () => {
  const external = '00-11111111111111111111111111111111-2222222222222222-01';
  await publicServer.inject({ url: '/ask/1', headers: { traceparent: external } });
  await inside.inject({ url: '/people/1' });
  await publicServer.inject({ url: '/readyz' });
  await publicServer.inject({ url: '/no/such/thing' });
  await named('GET none');
  const spans = collector.spans();
  expect(spans.every((span) => span.trace_id !== external.slice(3, 35))).toBe(true);
  expect(spans.filter(({ parent_id, name }) => parent_id === null && /people/.test(name))).toEqual(
    [],
  );
  expect(spans.filter(({ name }) => /readyz/.test(name))).toEqual([]);
});

test('a failure is marked, without its message', async () => {
  expect((await publicServer.inject({ url: '/break' })).statusCode).toBe(503);
  expect((await named('GET /broken'))[0]?.failed).toBe(true);
  expect((await named('GET /break'))[0]?.failed).toBe(true);
  expect(collector.raw()).not.toContain('4155550101');
});

test('log lines of a request have its id and trace', async () => {
  lines.length = 0;
  await publicServer.inject({ url: '/ask/1' });
  expect(lines).toHaveLength(1);
  const line = JSON.parse(lines[0] ?? '') as Record<string, string>;
  expect(line).toMatchObject({ msg: 'asked', request_id: expect.any(String) });
  const span = await eventually(() =>
    collector.spans().find(({ span_id }) => span_id === line.span_id),
  );
  expect(span).toMatchObject({ name: 'GET /people/:id', trace_id: line.trace_id });
});

test("shared work triggered by a request isn't part of its trace", async () => {
  lines.length = 0;
  await publicServer.inject({ url: '/nudge' });
  await ran.promise;
  const entries = lines.map((line) => JSON.parse(line) as Record<string, string>);
  const of = (msg: string) => entries.find((one) => one.msg === msg);
  expect(of('nudged')).toMatchObject({
    request_id: expect.any(String),
    trace_id: expect.any(String),
  });
  expect(of('looked')).not.toHaveProperty('request_id');
  expect(of('looked')).not.toHaveProperty('trace_id');
});
