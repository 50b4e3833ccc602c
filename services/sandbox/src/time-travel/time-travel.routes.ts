import { isIPv6 } from 'node:net';
import { PassThrough } from 'node:stream';
import type { Server } from '@daylift/server/create-server';
import { Type } from 'typebox';
import type { SandboxDeps } from '../deps.ts';
import { NotAnInstant, NothingToDo, SettleUrlNeeded, TimeOnlyMovesForward } from '../errors.ts';
import { type Advanced, advance } from './advance.ts';
import { createClockStreams } from './clock-stream.ts';
import { createProcessRegistry } from './process-registry.ts';

const Travel = Type.Object(
  {
    advance_hours: Type.Optional(Type.Number({ exclusiveMinimum: 0, maximum: 24 * 366 * 5 })),
    advance_to: Type.Optional(Type.String()),
    settle: Type.Optional(Type.Literal(true)),
    /** Longest wait at one stop, in wall-clock milliseconds. */
    cap_ms: Type.Optional(Type.Integer({ minimum: 100, maximum: 3_600_000 })),
    /** Hours between stops; due work adds stops in between. */
    stop_every_hours: Type.Optional(Type.Integer({ minimum: 1, maximum: 168 })),
  },
  { additionalProperties: false },
);
type Travel = Type.Static<typeof Travel>;

const StreamQuery = Type.Object({
  process: Type.Optional(Type.String({ minLength: 1, maxLength: 80 })),
  service: Type.Optional(Type.String({ minLength: 1, maxLength: 80 })),
  settle_url: Type.Optional(Type.String({ pattern: '^https?://[^ ]+$' })),
});

const DEFAULT_CAP_MS = 60_000;
// Clients time out on a silent response, and a long advance takes minutes.
const SIGN_OF_LIFE_MS = 10_000;

export function registerTimeTravel(app: Server, deps: SandboxDeps): void {
  const { clock } = deps;
  const registry = createProcessRegistry(deps.store);
  const streams = createClockStreams(clock);
  app.addHook('preClose', async () => streams.close());
  let last: Promise<unknown> = Promise.resolve();

  app.get('/sandbox/clock', async () => ({
    now: clock.now().toISOString(),
    offset_ms: clock.offsetMs(),
    processes: registry.all().map(({ name, up }) => ({ name, up })),
  }));

  app.get(
    '/sandbox/clock/stream',
    { schema: { querystring: StreamQuery } },
    async (request, reply) => {
      const { process, settle_url } = request.query;
      if (process !== undefined && settle_url === undefined) throw new SettleUrlNeeded();
      reply.hijack();
      const disconnect =
        process === undefined || settle_url === undefined
          ? () => undefined
          : registry.connect(
              process,
              request.query.service ?? process,
              reachable(settle_url, request.ip),
            );
      streams.add(reply.raw, disconnect);
    },
  );

  app.post('/sandbox/clock', { schema: { body: Travel } }, async (request, reply) => {
    const body = request.body;
    readTarget(body, clock.now());
    // One advance at a time; a waiting one counts from the end of the one before it.
    const advancing = last.then(() =>
      advance(deps, registry, {
        target: readTarget(body, clock.now(), true),
        capMs: body.cap_ms ?? DEFAULT_CAP_MS,
        stopEveryHours: body.stop_every_hours ?? 1,
      }),
    );
    last = advancing.catch(() => undefined);
    reply.type('application/json; charset=utf-8');
    return reply.send(
      streamResponse(advancing, (error) =>
        request.log.error({ err: error }, 'clock change failed'),
      ),
    );
  });
}

/** Returns the settle URL at the caller's address, because a process that listens on all addresses doesn't know it. */
function reachable(settleUrl: string, caller: string): string {
  const url = new URL(settleUrl);
  url.hostname = isIPv6(caller) ? `[${caller}]` : caller;
  return url.href;
}

/** Returns the target, or null to only settle, for example if the target passed while the advance waited. */
function readTarget(body: Travel, now: Date, waited = false): Date | null {
  const given = [body.advance_hours, body.advance_to, body.settle].filter(
    (one) => one !== undefined,
  );
  if (given.length !== 1) throw new NothingToDo();
  if (body.settle) return null;
  if (body.advance_hours !== undefined) {
    return new Date(now.getTime() + body.advance_hours * 3_600_000);
  }
  const text = body.advance_to ?? '';
  const target = new Date(text);
  if (Number.isNaN(target.getTime()) || !/(Z|[+-]\d\d:?\d\d)$/i.test(text)) {
    throw new NotAnInstant();
  }
  if (target > now) return target;
  if (waited) return null;
  throw new TimeOnlyMovesForward(text, now.toISOString());
}

/** Streams whitespace during the advance, then its JSON. */
function streamResponse(
  advancing: Promise<Advanced>,
  onError: (error: unknown) => void,
): PassThrough {
  const stream = new PassThrough();
  const alive = setInterval(() => stream.write(' '), SIGN_OF_LIFE_MS);
  advancing
    .then(
      (result) => stream.end(JSON.stringify(result)),
      (error: unknown) => {
        onError(error);
        stream.destroy(error as Error);
      },
    )
    .finally(() => clearInterval(alive));
  return stream;
}
