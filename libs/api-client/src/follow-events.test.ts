import { describe, expect, test } from 'vitest';
import { readEvents } from './event-stream.ts';
import { followEvents, pauseMs } from './follow-events.ts';
import { openEvents } from './open-events.ts';
import { createClient } from './request.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
const streamOf = (...chunks: Uint8Array[]) =>
  new ReadableStream<Uint8Array>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk);
      controller.close();
    },
  });
const readAll = async (body: ReadableStream<Uint8Array>) => {
  const all: string[] = [];
  for await (const data of readEvents(body)) all.push(data);
  return all;
};
const update = (count: number) => `event: update\ndata: {"count":${count},"word":"¡olé! 👋"}\n\n`;
const parsed = (count: number) => ({ count, word: '¡olé! 👋' });

describe('events', () => {
  test("are the same wherever the stream's bytes are split", async () => {
    const whole = bytes(update(1) + update(2));
    for (let cut = 0; cut <= whole.length; cut += 1) {
      const received = await readAll(streamOf(whole.slice(0, cut), whole.slice(cut)));
      expect(received.map((one) => JSON.parse(one))).toEqual([parsed(1), parsed(2)]);
    }
    const single = [...whole].map((byte) => Uint8Array.of(byte));
    expect(await readAll(streamOf(...single))).toHaveLength(2);
  });

  test('exclude incomplete ones and comments', async () => {
    expect(await readAll(streamOf(bytes(': hello\n\ndata: 1\n\ndata: 2\n')))).toEqual(['1']);
    expect(await readAll(streamOf(bytes('data: 1\ndata: 2\n\n')))).toEqual(['1\n2']);
  });
});

/** Follows one scripted connection after the other and stops after the last one. */
const followThrough = async (
  ways: ((signal: AbortSignal) => Promise<ReadableStream<Uint8Array>>)[],
  silentMs = 1_000,
) => {
  const end = new AbortController();
  const seen: unknown[] = [];
  let opened = 0;
  await followEvents({
    open: async (signal) => {
      const way = ways[opened];
      opened += 1;
      if (way === undefined) {
        end.abort();
        throw new Error('the end of the test');
      }
      return way(signal);
    },
    onEvent: (event) => seen.push(event),
    onFailure: (_error, isLost) => seen.push(isLost ? 'lost' : 'cut'),
    signal: end.signal,
    silentMs,
    firstPauseMs: 1,
  });
  return { seen, opened };
};
const good = (count: number) => async () => streamOf(bytes(update(count)));
const refused = async () => {
  throw new Error('refused');
};
/** A stream that sends one event and then stays silent until the client closes it. */
const silent = async (signal: AbortSignal) =>
  new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(bytes(update(7)));
      signal.addEventListener('abort', () => controller.error(new Error('given up')));
    },
  });

describe('following', () => {
  test('reconnects after each end, and is lost only after two failures in a row', async () => {
    const { seen } = await followThrough([good(1), good(2), refused, refused, good(3)]);
    expect(seen).toEqual([parsed(1), 'cut', parsed(2), 'cut', 'lost', 'lost', parsed(3), 'cut']);
  });

  test('closes a silent connection', async () => {
    const { seen, opened } = await followThrough([silent, good(2)], 30);
    expect(seen).toEqual([parsed(7), 'cut', parsed(2), 'cut']);
    expect(opened).toBe(3);
  });

  test('closes the connection when it is stopped', async () => {
    const end = new AbortController();
    let inner: AbortSignal | null = null;
    const following = followEvents({
      open: (signal) => {
        inner = signal;
        return silent(signal);
      },
      onEvent: () => end.abort(),
      onFailure: () => expect.unreachable(),
      signal: end.signal,
      silentMs: 1_000,
    });
    await following;
    expect((inner as AbortSignal | null)?.aborted).toBe(true);
  });

  test('backs off up to half a minute, with jitter', () => {
    const longest = [1, 2, 3, 4, 5, 6, 7, 50].map((failures) => pauseMs(failures, 1_000, 1));
    expect(longest).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000]);
    expect(pauseMs(3, 1_000, 0)).toBe(2_000);
  });
});

describe('a stream of the client', () => {
  test('has a timeout for its start and none for its length', async () => {
    const open = (begin: () => Promise<void>, rest: () => Promise<void>) =>
      openEvents(
        createClient({
          readToken: () => 'abc',
          fetch: async (_url, init) => {
            const given = init?.signal as AbortSignal;
            const cut = new Promise<never>((_resolve, reject) =>
              given.addEventListener('abort', () => reject(given.reason)),
            );
            await Promise.race([begin(), cut]);
            expect(new Headers(init?.headers).get('accept')).toBe('text/event-stream');
            return new Response(
              new ReadableStream({
                async start(controller) {
                  await Promise.race([rest(), cut]);
                  controller.enqueue(bytes(update(1)));
                  controller.close();
                },
              }),
            );
          },
        }).send,
        'GET /admin/live',
        { timeoutMs: 1_000 },
      );
    const after = (ms: number) => () => new Promise<void>((resolve) => setTimeout(resolve, ms));
    expect(await readAll(await open(after(0), after(1_500)))).toHaveLength(1);
    await expect(open(after(5_000), after(0))).rejects.toMatchObject({ code: 'TIMEOUT' });
  });
});
