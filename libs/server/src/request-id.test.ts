import { expect, test } from 'vitest';
import { createServer } from './create-server.ts';
import { createLogger } from './logger.ts';

test('log lines have their request id without a collector, and none outside of requests', async () => {
  const lines: string[] = [];
  const log = createLogger('test', 'info', { write: (line) => void lines.push(line) });
  const app = createServer({ name: 'test', logLevel: 'silent', readiness: {} });
  app.post('/note', async () => {
    log.info('noted');
    return 'ok';
  });
  const id = 'a-request-of-this-test';
  await app.inject({
    method: 'POST',
    url: '/note',
    headers: { 'x-request-id': id },
    payload: { note: 'x' },
  });
  log.info('outside of a request');
  const [within, without] = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(within).toMatchObject({ msg: 'noted', request_id: id });
  expect(within).not.toHaveProperty('trace_id');
  expect(without).not.toHaveProperty('request_id');
  await app.close();
});
