import { traceFields } from '@daylift/telemetry/tracing';
import pino, { type DestinationStream, type Logger, type LoggerOptions } from 'pino';
import { requestFields } from './request-scope.ts';

export type { Logger };
export type LogLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'silent';

/** An allowlist: logs never contain query strings, headers or bodies. */
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
      // Providers and the database put numbers and addresses into their messages.
      message: redact(String(error.message ?? '')),
      stack: error.stack?.split('\n').slice(1, 6).map(redact).join('\n'),
    };
  },
};

/** Code can throw anything, even a string. */
const errorOf = (thrown: unknown): Partial<Error & { code: string; status: number }> =>
  typeof thrown === 'object' && thrown !== null ? thrown : { message: String(thrown) };

const octet = '(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)';
const rest = `(?:\\.${octet})`;
/** Ranges of our own networks. Phone numbers are written with dots too, so others are addresses only with a port. */
const ownNetwork = `(?:127${rest}|10${rest}|192\\.168|172\\.(?:1[6-9]|2\\d|3[01]))${rest}{2}`;
const ipv4 = `(?<![\\d.+])(?:${octet}${rest}{3}(?=:\\d{2,5}(?!\\d))|${ownNetwork}(?![\\s.()-]*\\d))`;
const ipv4OrPhone = new RegExp(`(${ipv4})|\\+?\\d[\\d\\s().-]{7,}\\d`, 'g');

/** Removes phone numbers, email addresses and keys from third-party text. */
export function redact(text: string): string {
  return (
    text
      // Keys first: otherwise digits within a key would match as a number.
      .replaceAll(/\b(sk|rk|whsec|KEY)[A-Za-z0-9_]{6,}/g, '[key]')
      .replaceAll(ipv4OrPhone, (_found, ip) => ip ?? '[number]')
      .replaceAll(/[^\s"'<>@]+@[^\s"'<>@]+/g, '[address]')
  );
}

/** Each line includes the ids of its request and trace. */
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
    // A request's logger already has the id.
    mixin: (_line, _level, logger) => ({
      ...(logger === root && requestFields()),
      ...traceFields(),
    }),
  };
  const root: Logger = destination === undefined ? pino(options) : pino(options, destination);
  return root;
}
