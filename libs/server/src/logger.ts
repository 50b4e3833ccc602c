import { traceFields } from '@daylift/telemetry/tracing';
import pino, { type DestinationStream, type Logger, type LoggerOptions } from 'pino';
import { requestFields } from './request-scope.ts';

export type { Logger };
export type LogLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'silent';

/** Only what is listed here of a request ever reaches a log: no query string, no header, no body. */
const serializers = {
  req: (request: { method: string; url: string; id?: string }) => ({
    method: request.method,
    path: request.url.split('?')[0],
    id: request.id,
  }),
  err: (thrown: unknown) => {
    const error = errorOf(thrown);
    return {
      type: error.name,
      code: error.code,
      status: error.status,
      // Providers and the database quote numbers and addresses in their messages.
      message: redact(String(error.message ?? '')),
      stack: error.stack?.split('\n').slice(1, 6).map(redact).join('\n'),
    };
  },
};

/** Anything can be thrown, a bare string too. */
const errorOf = (thrown: unknown): Partial<Error & { code: string; status: number }> =>
  typeof thrown === 'object' && thrown !== null ? thrown : { message: String(thrown) };

/** Takes phone numbers, e-mail addresses and keys out of a text that others worded. */
export function redact(text: string): string {
  return (
    text
      // Keys first: the digits within one would be taken for a number and split it.
      .replaceAll(/\b(sk|rk|whsec|KEY)[A-Za-z0-9_]{6,}/g, '[key]')
      .replaceAll(/\+?\d[\d\s().-]{7,}\d/g, '[number]')
      .replaceAll(/[^\s"'<>@]+@[^\s"'<>@]+/g, '[address]')
  );
}

/** Each line names the request and the trace within which it was written. */
export function createLogger(
  name: string,
  level: LogLevel,
  destination?: DestinationStream,
): Logger {
  const options: LoggerOptions = {
    name,
    level,
    serializers,
    formatters: { level: (label) => ({ level: label }) },
    // The logger of a request has its id already.
    mixin: (_line, _level, logger) => ({
      ...(logger === root && requestFields()),
      ...traceFields(),
    }),
  };
  const root: Logger = destination === undefined ? pino(options) : pino(options, destination);
  return root;
}
