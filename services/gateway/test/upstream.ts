import { setTimeout as delay } from 'node:timers/promises';
import type { SessionState } from '@daylift/contracts/accounts.http';
import type { FailedItems } from '@daylift/contracts/failed.http';
import type { CollectedWebhook } from '@daylift/contracts/webhook';
import { createServer, type Server } from '@daylift/server/create-server';
import { type Identity, registerIdentity } from '@daylift/server/identity';
import { testPublicKeys } from '@daylift/testing/identity';
import type { Service } from '../src/upstreams.ts';

export interface Seen {
  service: Service;
  method: string;
  url: string;
  headers: Record<string, string | string[] | undefined>;
  identity: Identity | null;
  body: Buffer | null;
}

export interface UpstreamState {
  seen: Seen[];
  /** Responses of GET /internal/sessions, by `kind:subject:version`. */
  sessions: Map<string, SessionState>;
  endedTokens: Set<string>;
  figures: Map<Service, unknown>;
  /** Responses of GET /internal/live; a service without one doesn't respond. */
  live: Map<Service, unknown>;
  failed: Map<Service, FailedItems>;
  resets: number;
  /** Sets of webhooks that sms-gateway got, or null if it takes none, as the previous version. */
  sets: CollectedWebhook[][] | null;
  /** Replaces the next response. */
  next?: {
    status: number;
    headers: Record<string, string>;
    body: string | null;
    afterMs?: number;
  };
}

const figuresOf: Partial<Record<Service, string>> = {
  accounts: 'users',
  billing: 'billing',
  content: 'content',
  'sms-gateway': 'sms',
};

/** Starts a small real server as a service, which records requests and responds with them. */
export async function startUpstream(
  service: Service,
  state: UpstreamState,
  port = 0,
): Promise<{ app: Server; url: string }> {
  const app = createServer({ name: service, logLevel: 'silent', readiness: {} });
  registerIdentity(app, testPublicKeys, service);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    '*',
    { parseAs: 'buffer', bodyLimit: 1_000_000 },
    (_request, body, done) => done(null, body),
  );
  app.get('/internal/sessions', async (request) => {
    const { kind, subject, version, token_id = '' } = request.query as Record<string, string>;
    state.seen.push(seenOf(service, request as never));
    const ended: SessionState = { valid: false, role: null, username: null, totp_missing: false };
    if (state.endedTokens.has(token_id)) return ended;
    return state.sessions.get(`${kind}:${subject}:${version}`) ?? ended;
  });
  const part = figuresOf[service];
  if (part !== undefined)
    app.get(`/internal/analytics/${part}`, async (request) => {
      if (request.identity?.kind !== 'service') throw new Error('not a service');
      return state.figures.get(service);
    });
  app.get('/internal/live', async (request, reply) => {
    if (request.identity?.kind !== 'service') throw new Error('not a service');
    state.seen.push(seenOf(service, request as never));
    return state.live.get(service) ?? reply.code(503).send({ detail: 'Not now.' });
  });
  app.get('/internal/parked', async (request) => {
    if (request.identity?.kind !== 'service') throw new Error('not a service');
    state.seen.push(seenOf(service, request as never));
    return state.failed.get(service) ?? { total: 0, items: [] };
  });
  app.post('/internal/webhooks/telnyx', async (request, reply) => {
    if (request.identity?.kind !== 'service') throw new Error('not a service');
    if (state.sets === null) return reply.code(404).send({ detail: 'Not found.' });
    const webhooks = JSON.parse(String(request.body)) as CollectedWebhook[];
    state.sets.push(webhooks);
    const { next } = state;
    delete state.next;
    if (next !== undefined) {
      await delay(next.afterMs ?? 0);
      return reply.code(next.status).send(next.body);
    }
    return webhooks.map(({ request_id, headers }) =>
      headers['telnyx-timestamp'] === '1'
        ? { status: 200, body: { received: true } }
        : { status: 401, body: { detail: 'No.', code: 'FORGED_WEBHOOK', request_id } },
    );
  });
  app.all('/*', async (request, reply) => {
    const seen = seenOf(service, request as never);
    state.seen.push(seen);
    if (state.resets > 0) {
      state.resets -= 1;
      reply.hijack();
      request.raw.socket.resetAndDestroy();
      return reply;
    }
    const { next } = state;
    if (next !== undefined) {
      delete state.next;
      await delay(next.afterMs ?? 0);
      return reply.code(next.status).headers(next.headers).send(next.body);
    }
    reply.header('x-total-count', 7).header('x-powered-by', 'secret-inside');
    return reply.code(request.method === 'POST' ? 201 : 200).send({ answered_by: service });
  });
  const url = await app.listen({ port, host: '127.0.0.1' });
  return { app, url };
}

function seenOf(
  service: Service,
  request: {
    method: string;
    url: string;
    headers: Seen['headers'];
    identity: Identity | null;
    body: unknown;
  },
): Seen {
  return {
    service,
    method: request.method,
    url: request.url,
    headers: { ...request.headers },
    identity: request.identity,
    body: Buffer.isBuffer(request.body) ? request.body : null,
  };
}
