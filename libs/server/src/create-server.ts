import { randomUUID } from 'node:crypto';
import type { ErrorBody } from '@daylift/contracts/error';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import Fastify, {
  type FastifyBaseLogger,
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type FastifyServerOptions,
  LogController,
} from 'fastify';
import { respondToClientError } from './client-error.ts';
import { announceShutdown, idleTimeoutMs } from './drain.ts';
import { Unavailable } from './error.ts';
import { registerErrorTable } from './error-table.ts';
import { type ReadinessChecks, registerReadiness } from './health.ts';
import { createLogger, type LogLevel } from './logger.ts';
import { measureRequests } from './metrics.ts';
import { followRequests } from './request-scope.ts';
import { schemaCompilers } from './schema-compilers.ts';
import { isUnreachable } from './unreachable.ts';
import { rejectUnstorableText } from './unstorable-text.ts';
import { validationDetail } from './validation-detail.ts';

export interface ServerOptions {
  name: string;
  logLevel: LogLevel;
  readiness: ReadinessChecks;
  bodyLimit?: number;
  publicServer?: Pick<
    FastifyServerOptions,
    | 'trustProxy'
    | 'requestTimeout'
    | 'connectionTimeout'
    | 'keepAliveTimeout'
    | 'requestIdHeader'
    | 'rewriteUrl'
  >;
}

export type Server = FastifyInstance<
  import('node:http').Server,
  import('node:http').IncomingMessage,
  import('node:http').ServerResponse,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>;

/** Creates a Fastify server: errors as `{detail, code, request_id}`, readiness, metrics, strict validation. */
export function createServer(options: ServerOptions): Server {
  const app = Fastify({
    loggerInstance: createLogger(options.name, options.logLevel) as FastifyBaseLogger,
    bodyLimit: options.bodyLimit ?? 64 * 1024,
    // The gateway names each request; services keep that name.
    requestIdHeader: 'x-request-id',
    genReqId: () => randomUUID(),
    logController: new LogController({
      disableRequestLogging: true,
      requestIdLogLabel: 'request_id',
    }),
    forceCloseConnections: 'idle',
    keepAliveTimeout: idleTimeoutMs,
    // Clients with an open connection still get responses while this process shuts down.
    return503OnClosing: false,
    schemaController: schemaCompilers,
    routerOptions: { maxParamLength: 300, ignoreTrailingSlash: true },
    frameworkErrors: writeError,
    clientErrorHandler: respondToClientError,
    ...options.publicServer,
  }).withTypeProvider<TypeBoxTypeProvider>();
  // One media type; routes that accept another (a webhook's raw body) declare it.
  app.removeAllContentTypeParsers();
  parseJson(app);
  app.setErrorHandler(writeError);
  app.setNotFoundHandler((request, reply) => {
    reply.code(404).header('cache-control', 'no-store').send({
      detail: 'Not found.',
      code: 'NOT_FOUND',
      request_id: request.id,
    });
  });
  followRequests(app, { isPublic: options.publicServer !== undefined });
  app.addHook('onSend', async (request, reply) => {
    reply.header('x-request-id', request.id);
    if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store');
  });
  announceShutdown(app);
  app.addHook('preValidation', rejectUnstorableText);
  registerErrorTable(app);
  measureRequests(app, options.name);
  app.decorate('readiness', options.readiness);
  registerReadiness(app, options.readiness, { namesParts: false });
  return app;
}

/** Treats an empty body as none, even if it is declared as JSON. */
function parseJson(app: Server): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.addContentTypeParser<string>(
    'application/json',
    { parseAs: 'string' },
    (request, body, done) => {
      if (body === '') done(null, undefined);
      else parse(request, body, done);
    },
  );
}

function writeError(thrown: FastifyError, request: FastifyRequest, reply: FastifyReply): void {
  const { status, body } = errorResponse(thrown, request.id);
  if (clientDisconnected(thrown, reply))
    request.log.debug('client disconnected before the response');
  else if (status >= 500) request.log.error({ err: thrown }, 'request failed');
  // Errors must not be cached, whatever headers the route set. An invalid URL runs no hooks.
  reply
    .code(status)
    .header('cache-control', 'no-store')
    .header('referrer-policy', 'no-referrer')
    .send(body);
}

/** Returns the response to a request that failed. */
export function errorResponse(
  thrown: FastifyError,
  requestId: string,
): { status: number; body: ErrorBody } {
  const error = forClients(thrown);
  const status = error.validation ? 400 : (error.statusCode ?? 500);
  const body = { detail: detailOf(error, status), code: codeOf(error), request_id: requestId };
  return { status, body };
}

const clientDisconnected = (error: FastifyError, reply: FastifyReply): boolean =>
  error.code === 'ERR_STREAM_PREMATURE_CLOSE' && reply.raw.destroyed;

/** Converts a driver's error for an unreachable server to a 503; other errors stay unchanged. */
function forClients(error: FastifyError): FastifyError {
  if (error.statusCode !== undefined || !isUnreachable(error)) return error;
  return new Unavailable("We can't reach our database right now. Please try again in a moment.");
}

/** Our codes for requests that Fastify rejects. */
const rejections: Record<string, string> = {
  FST_ERR_CTP_INVALID_JSON_BODY: 'INVALID_JSON',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'UNSUPPORTED_MEDIA_TYPE',
  FST_ERR_CTP_BODY_TOO_LARGE: 'BODY_TOO_LARGE',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'INVALID_CONTENT_LENGTH',
  FST_ERR_BAD_URL: 'INVALID_URL',
  FST_ERR_MAX_PARAM_LENGTH: 'INVALID_URL',
};

function codeOf(error: FastifyError): string {
  if (error.validation) return 'INVALID_INPUT';
  const { code, statusCode } = error;
  if (statusCode === undefined || code === undefined) return 'ERROR';
  const isRejected = code.startsWith('FST_') && statusCode < 500;
  return rejections[code] ?? (isRejected ? 'BAD_REQUEST' : code);
}

function detailOf(error: FastifyError, status: number): string {
  if (error.validation)
    return validationDetail(error.validation, error.validationContext ?? 'request');
  if (error.code === 'FST_ERR_BAD_URL' || status === 414) return 'This URL is invalid.';
  if (status === 413) return 'This request is too large.';
  if (status === 415) return 'Please send JSON (Content-Type: application/json).';
  if (error.code === 'FST_ERR_CTP_INVALID_JSON_BODY') return 'The body is not valid JSON.';
  // Internal errors are for the log; 503s are worded by the code that throws them.
  if (status >= 500 && status !== 503) return 'Something went wrong on our side. Please try again.';
  return error.message;
}
