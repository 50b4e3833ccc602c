import { randomUUID } from 'node:crypto';
import AjvCompiler from '@fastify/ajv-compiler';
import helmet, { type FastifyHelmetOptions } from '@fastify/helmet';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import underPressure from '@fastify/under-pressure';
import Fastify, {
  type FastifyBaseLogger,
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type FastifyServerOptions,
  LogController,
} from 'fastify';
import { answerClientError } from './client-error.ts';
import { partWithClients, restMs } from './drain.ts';
import { createError, Unavailable } from './error.ts';
import { registerErrorTable } from './error-table.ts';
import { type ReadinessChecks, registerReadiness } from './health.ts';
import { createLogger, type LogLevel } from './logger.ts';
import { measureRequests } from './metrics.ts';
import { isOutOfReach } from './out-of-reach.ts';
import { followRequests } from './request-scope.ts';
import { refuseUnstorableText } from './unstorable-text.ts';
import { validationDetail } from './validation-detail.ts';

export interface ServerOptions {
  name: string;
  logLevel: LogLevel;
  /** GET /readyz runs each; one that throws makes it 503. Only the ops server names it. */
  readiness: ReadinessChecks;
  /** Bytes; a larger body gets 413. */
  bodyLimit?: number;
  /** For the one server that browsers reach: whom to believe about addresses, how long a client may take. */
  door?: Pick<
    FastifyServerOptions,
    | 'trustProxy'
    | 'requestTimeout'
    | 'connectionTimeout'
    | 'keepAliveTimeout'
    | 'requestIdHeader'
    | 'rewriteUrl'
  >;
  /** Headers that only matter to browsers; the default is for JSON and sets no content-security-policy. */
  helmet?: FastifyHelmetOptions;
}

export type Server = FastifyInstance<
  import('node:http').Server,
  import('node:http').IncomingMessage,
  import('node:http').ServerResponse,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>;

const VeryBusy = createError(
  'FST_UNDER_PRESSURE',
  "We're very busy right now. Please try again in a few seconds.",
  503,
);

/** A Fastify server as all of ours are: errors as `{detail, code, request_id}`, readiness, measured requests, strict input. */
export async function createServer(options: ServerOptions): Promise<Server> {
  const app = Fastify({
    loggerInstance: createLogger(options.name, options.logLevel) as FastifyBaseLogger,
    bodyLimit: options.bodyLimit ?? 64 * 1024,
    // The gateway names each request; a service keeps that name.
    requestIdHeader: 'x-request-id',
    genReqId: () => randomUUID(),
    logController: new LogController({
      disableRequestLogging: true,
      requestIdLogLabel: 'request_id',
    }),
    forceCloseConnections: 'idle',
    keepAliveTimeout: restMs,
    // Whoever still holds a connection while this process ends gets an answer like everybody.
    return503OnClosing: false,
    schemaController: strictValidation,
    routerOptions: { maxParamLength: 300, ignoreTrailingSlash: true },
    frameworkErrors: writeError,
    clientErrorHandler: answerClientError,
    ...options.door,
  }).withTypeProvider<TypeBoxTypeProvider>();
  // One media type; a door that takes another (a webhook's raw body) says so itself.
  app.removeContentTypeParser('text/plain');
  app.setErrorHandler(writeError);
  app.setNotFoundHandler((request, reply) => {
    reply.code(404).header('cache-control', 'no-store').send({
      detail: 'Not found.',
      code: 'NOT_FOUND',
      request_id: request.id,
    });
  });
  followRequests(app, { isDoor: options.door !== undefined });
  app.addHook('onSend', async (request, reply) => {
    reply.header('x-request-id', request.id);
    if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store');
  });
  partWithClients(app);
  app.addHook('preValidation', refuseUnstorableText);
  await app.register(helmet, options.helmet ?? { contentSecurityPolicy: false });
  await app.register(underPressure, {
    maxEventLoopDelay: 10_000,
    pressureHandler: (_request, reply, _type, delayMs) => {
      // A second without one sample counts as an endless delay there; on a slow machine it is only a slow second.
      if (delayMs === Number.POSITIVE_INFINITY) return;
      reply.header('retry-after', 5);
      return Promise.reject(new VeryBusy());
    },
  });
  registerErrorTable(app);
  measureRequests(app, options.name);
  app.decorate('readiness', options.readiness);
  registerReadiness(app, options.readiness, { namesParts: false });
  return app;
}

/** Bodies are taken as they are; only query and path, which are always strings, are read as the type that the schema names. */
const strictValidation = {
  compilersFactory: {
    buildValidator(
      externalSchemas: Record<string, never>,
      serverOptions: { customOptions?: object },
    ) {
      const buildAjv = AjvCompiler();
      const build = (coerceTypes: boolean) =>
        buildAjv(externalSchemas, {
          ...serverOptions,
          customOptions: {
            removeAdditional: false,
            useDefaults: true,
            allErrors: false,
            coerceTypes,
          },
        });
      const strict = build(false);
      const lenient = build(true);
      return (route: { httpPart?: string }) =>
        (route.httpPart === 'body' ? strict : lenient)(route);
    },
  },
} as unknown as FastifyServerOptions['schemaController'];

function writeError(thrown: FastifyError, request: FastifyRequest, reply: FastifyReply): void {
  const error = forClients(thrown);
  const status = error.validation ? 400 : (error.statusCode ?? 500);
  if (hasLeft(thrown, reply)) request.log.debug('the client left before its answer');
  else if (status >= 500) request.log.error({ err: thrown }, 'request failed');
  // Whatever was meant for the answer that did not come, nobody keeps an error. An address that is none meets no hook.
  reply
    .code(status)
    .header('cache-control', 'no-store')
    .header('referrer-policy', 'no-referrer')
    .send({
      detail: detailOf(error, status),
      code: codeOf(error),
      request_id: request.id,
    });
}

/** Nothing failed: a stream was ended because nobody takes it any more. */
const hasLeft = (error: FastifyError, reply: FastifyReply): boolean =>
  error.code === 'ERR_STREAM_PREMATURE_CLOSE' && reply.raw.destroyed;

/** A driver's word that its server can't be reached; everything else stays what it is. */
function forClients(error: FastifyError): FastifyError {
  if (error.statusCode !== undefined || !isOutOfReach(error)) return error;
  return new Unavailable("We can't reach our database right now. Please try again in a moment.");
}

/** An error that nobody meant for an answer has the code of a driver or of the system: that is for the log alone. */
function codeOf(error: FastifyError): string {
  if (error.validation) return 'INVALID_INPUT';
  return error.statusCode === undefined ? 'ERROR' : (error.code ?? 'ERROR');
}

function detailOf(error: FastifyError, status: number): string {
  if (error.validation)
    return validationDetail(error.validation, error.validationContext ?? 'request');
  if (error.code === 'FST_ERR_BAD_URL' || status === 414) return 'This URL is invalid.';
  if (status === 413) return 'This request is too large.';
  if (status === 415) return 'Please send JSON (Content-Type: application/json).';
  if (error.code === 'FST_ERR_CTP_EMPTY_JSON_BODY') return 'Please send a JSON body.';
  if (error.code === 'FST_ERR_CTP_INVALID_JSON_BODY' || error instanceof SyntaxError)
    return 'The body is not valid JSON.';
  // What went wrong inside is for the log; 503s are worded for people by whoever throws them.
  if (status >= 500 && status !== 503) return 'Something went wrong on our side. Please try again.';
  return error.message;
}
