import { randomUUID, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { SandboxDeps } from '../deps.ts';
import { registerProviderFaults } from '../provider-faults.ts';
import { findRecords } from './detail-records.ts';
import { lookupOf } from './number-lookup.ts';
import { listOptOuts } from './opt-out-list.ts';
import { type SendHeaders, sendMessage } from './send-message.ts';
import type { Telnyx } from './telnyx.ts';
import { refusal, writeTelnyxError } from './telnyx-errors.ts';
import { messageOf } from './texts.ts';

const VISIBLE_MS = 10 * 24 * 3_600_000;

/** `/v2` as the unmodified SDK calls it. */
export function registerTelnyx(app: FastifyInstance, deps: SandboxDeps, state: Telnyx): void {
  app.register(
    async (scope) => {
      scope.setErrorHandler((error: Error, _request, reply) => writeTelnyxError(error, reply));
      scope.setNotFoundHandler((_request, reply) =>
        writeTelnyxError(
          refusal('10005', 'The requested resource or URL could not be found.'),
          reply,
        ),
      );
      registerProviderFaults(scope, 'telnyx', deps.faults);
      guard(scope, deps, state);
      registerMessages(scope, deps, state);
      registerNumbers(scope, deps, state);
      scope.get('/detail_records', async (request) =>
        findRecords(request.url.split('?')[1] ?? '', state.texts.byRecipient),
      );
    },
    { prefix: '/v2' },
  );
}

/** Checks the key, the rate limit and the error dial. */
function guard(scope: FastifyInstance, { config, faults }: SandboxDeps, state: Telnyx): void {
  const expected = Buffer.from(`Bearer ${config.TELNYX_API_KEY}`);
  scope.addHook('onRequest', async (request, reply) => {
    const given = Buffer.from(request.headers.authorization ?? '');
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) {
      throw refusal('10009', 'No key found matching the ID, or the key is wrong.');
    }
    const left = state.takeCall();
    reply.headers({
      'x-ratelimit-limit': faults.current.telnyx.rate_limit_per_second,
      'x-ratelimit-remaining': Math.max(0, left),
      'x-ratelimit-reset': 1,
    });
    if (left < 0)
      throw refusal('10011', 'You have exceeded the maximum number of allowed requests.');
    const { rate, code = '10007', status, title, retry_after } = faults.current.error.telnyx;
    if (!faults.hits(rate)) return;
    const wait: Record<string, string> =
      retry_after === undefined ? {} : { 'retry-after': String(retry_after) };
    throw refusal(code, undefined, { status, title, headers: wait });
  });
}

function registerMessages(scope: FastifyInstance, deps: SandboxDeps, state: Telnyx): void {
  scope.post('/messages', async (request, reply) => {
    const { message, fate } = await sendMessage(deps, state, request.body, sendHeaders(request));
    if (fate.answer === 'drop') {
      reply.hijack();
      request.raw.socket.destroy();
      return reply;
    }
    if (fate.answer === 'error_after') throw refusal('10007', 'An unexpected error occurred.');
    return { data: message };
  });

  scope.get('/messages/:id', async (request) => {
    const { id } = request.params as { id: string };
    const text = state.texts.get(id);
    const oldest = deps.clock.now().getTime() - VISIBLE_MS;
    if (text === undefined || Date.parse(text.accepted_at) < oldest) {
      throw refusal('10005', 'The requested message could not be found.');
    }
    return { data: messageOf(text) };
  });
}

function registerNumbers(
  scope: FastifyInstance,
  { clock, config, faults, store }: SandboxDeps,
  { lookups, optOuts }: Telnyx,
): void {
  scope.get('/number_lookup/:number', async (request) => {
    const { number } = request.params as { number: string };
    const data = lookupOf(number, faults.current.line_types[number] ?? 'mobile');
    lookups.put(randomUUID(), { number, at: clock.now().toISOString() });
    await store.flush();
    return { data };
  });

  scope.get('/messaging_optouts', async (request) =>
    listOptOuts(request.url.split('?')[1] ?? '', [...optOuts.values()], config.SMS_FROM),
  );
}

function sendHeaders(request: FastifyRequest): SendHeaders {
  const key = request.headers['idempotency-key'];
  return {
    idempotencyKey: typeof key === 'string' ? key : null,
    retryCount: Number(request.headers['x-stainless-retry-count'] ?? 0),
  };
}
