import { once } from 'node:events';
import { createServer } from '@daylift/server/create-server';
import { requestFields } from '@daylift/server/request-scope';
import { expect, it } from 'vitest';
import { createLiveReader } from './live-reader.ts';
import { createLiveStream } from './live-stream.ts';

it('a slow client costs one update of memory, and then gets the latest', async () => {
  let count = 0;
  const rounds: (() => void)[] = [];
  const reader = createLiveReader({
    sources: {
      only: async () => {
        count += 1;
        for (const notify of rounds.splice(0)) notify();
        return { count, filling: 'x'.repeat(20_000) + count };
      },
    },
    everyMs: 0,
    now: () => new Date(),
    onFailure: () => undefined,
  });
  await reader.refresh();
  const { body, end } = createLiveStream({ reader, checkAccess: async () => undefined });
  body.setEncoding('utf8');
  body.once('readable', () => undefined);
  while (count < 500) await new Promise<void>((resolve) => rounds.push(resolve));
  expect(body.readableLength).toBeLessThan(50_000);
  let text = '';
  body.on('data', (chunk: string) => {
    text += chunk;
  });
  while (!/"count":5\d\d/.test(text)) await once(body, 'data');
  expect(text.split('\n\n').length).toBeLessThan(50);
  end();
  await once(body, 'end');
});

it('polling and access checks run outside of the request that started them', async () => {
  const polls: object[] = [];
  const checks: object[] = [];
  const checkedTwice = Promise.withResolvers<void>();
  const reader = createLiveReader({
    sources: {
      only: async () => {
        polls.push(requestFields());
        return {};
      },
    },
    everyMs: 10,
    now: () => new Date(),
    onFailure: () => undefined,
  });
  const checkAccess = async () => {
    checks.push(requestFields());
    if (checks.length === 2) checkedTwice.resolve();
  };
  const app = createServer({ name: 'test', logLevel: 'silent', readiness: {} });
  app.get('/live', async () => {
    await reader.refresh();
    const { end } = createLiveStream({ reader, checkAccess });
    await checkedTwice.promise;
    end();
    return requestFields();
  });
  const own = (await app.inject({ url: '/live' })).json<object>();
  await app.close();
  expect(own).toEqual({ request_id: expect.any(String) });
  expect(polls[0]).toEqual(own);
  expect(new Set(polls.slice(1).map((one) => JSON.stringify(one)))).toEqual(new Set(['{}']));
  expect(checks).toEqual([{}, {}]);
});
