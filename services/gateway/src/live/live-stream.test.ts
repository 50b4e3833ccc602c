import { once } from 'node:events';
import { expect, it } from 'vitest';
import { createLiveReader } from './live-reader.ts';
import { createLiveStream } from './live-stream.ts';

it('a client that does not read costs one state, and then gets the latest instead of all', async () => {
  let count = 0;
  const rounds: (() => void)[] = [];
  const reader = createLiveReader({
    sources: {
      only: async () => {
        count += 1;
        for (const tell of rounds.splice(0)) tell();
        return { count, filling: 'x'.repeat(20_000) + count };
      },
    },
    everyMs: 0,
    now: () => new Date(),
    onFailure: () => undefined,
  });
  await reader.look();
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
