import type { Identity } from '@daylift/server/identity';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { TooManyWindows } from '../errors.ts';
import type { LiveReader } from './live-reader.ts';
import { createLiveStream, type LiveStream } from './live-stream.ts';

/** Limits of streams per admin and per process. Only visible windows hold one. */
const maxStreamsPerAdmin = 20;
const maxStreams = 500;

export interface Live {
  answer: (
    request: FastifyRequest,
    reply: FastifyReply,
    who: { identity: Identity | null; checkAccess: () => Promise<unknown> },
  ) => Promise<FastifyReply>;
  close: () => void;
}

/** Responds with one update for JSON, and a stream for `text/event-stream`. */
export function createLive(reader: LiveReader, heartbeatMs?: number): Live {
  const streams = new Map<LiveStream, string>();

  const open = (who: string, checkAccess: () => Promise<unknown>): LiveStream => {
    const own = [...streams.values()].filter((one) => one === who).length;
    if (own >= maxStreamsPerAdmin || streams.size >= maxStreams) throw new TooManyWindows();
    const stream = createLiveStream({ reader, checkAccess, ...(heartbeatMs && { heartbeatMs }) });
    streams.set(stream, who);
    stream.body.once('close', () => streams.delete(stream));
    return stream;
  };

  return {
    async answer(request, reply, { identity, checkAccess }) {
      await reader.refresh();
      // The response to HEAD has no body, whose end would close the stream.
      if (request.method === 'HEAD' || !request.headers.accept?.includes('text/event-stream'))
        return reply.type('application/json').send(JSON.parse(reader.describe(reader.names())));
      const who = identity?.kind === 'admin' ? identity.admin_id : '';
      const { body } = open(who, checkAccess);
      return reply
        .type('text/event-stream')
        .header('cache-control', 'no-store, no-transform')
        .header('x-accel-buffering', 'no')
        .send(body);
    },
    close() {
      for (const stream of streams.keys()) stream.end();
    },
  };
}
