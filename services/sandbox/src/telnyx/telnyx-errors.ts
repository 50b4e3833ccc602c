import type { FastifyReply } from 'fastify';

/** One entry of Telnyx's `{"errors": [...]}`. */
export interface ErrorEntry {
  code: string;
  title: string;
  detail: string;
  source?: { pointer: string };
  meta?: { url: string };
}

/** Thrown below a /v2 route and written by the scope's error handler. */
export class TelnyxError extends Error {
  readonly status: number;
  readonly entry: ErrorEntry;
  readonly headers: Record<string, string>;

  constructor(status: number, entry: ErrorEntry, headers: Record<string, string> = {}) {
    super(entry.title);
    this.status = status;
    this.entry = entry;
    this.headers = headers;
  }
}

interface Known {
  status: number;
  title: string;
  pointer?: string;
}

/** Refusals of a send by code. HTTP statuses that Telnyx does not document follow the best evidence. */
const refusals: Record<string, Known> = {
  '10001': { status: 400, title: 'Inactive phone number', pointer: '/from' },
  '10002': { status: 400, title: 'Invalid phone number', pointer: '/to' },
  '10004': { status: 422, title: 'Missing required parameter' },
  '10005': { status: 404, title: 'Resource not found' },
  '10007': { status: 500, title: 'Unexpected error' },
  '10009': { status: 401, title: 'Authentication failed' },
  '10010': { status: 403, title: 'Authorization failed' },
  '10011': { status: 429, title: 'Too many requests' },
  '10015': { status: 422, title: 'Bad Request' },
  '10016': { status: 400, title: 'Phone number must be in +E.164 format', pointer: '/to' },
  '20002': { status: 401, title: 'API Key revoked' },
  '20012': { status: 403, title: 'Account inactive' },
  '20013': { status: 403, title: 'Account blocked' },
  '20100': { status: 402, title: 'Insufficient Funds' },
  '40001': { status: 400, title: 'Not routable', pointer: '/to' },
  '40012': { status: 400, title: 'Invalid messaging destination number', pointer: '/to' },
  '40300': { status: 409, title: 'Blocked due to STOP message', pointer: '/to' },
  '40301': { status: 400, title: 'Unsupported message type', pointer: '/to' },
  '40302': { status: 400, title: 'Message too large', pointer: '/text' },
  '40304': { status: 400, title: 'Invalid message content combination' },
  '40305': { status: 400, title: "Invalid 'from' address", pointer: '/from' },
  '40306': { status: 400, title: 'Alphanumeric sender ID not configured', pointer: '/from' },
  '40307': { status: 400, title: 'Alphanumeric sender ID mismatch', pointer: '/from' },
  '40309': { status: 400, title: 'Invalid destination region', pointer: '/to' },
  '40310': { status: 400, title: "Invalid 'to' address", pointer: '/to' },
  '40312': { status: 400, title: 'Messaging profile is disabled' },
  '40314': { status: 400, title: 'Account is disabled' },
  '40315': { status: 400, title: 'Messaging profile is missing' },
  '40316': { status: 400, title: 'No content provided', pointer: '/text' },
  '40318': { status: 429, title: 'Message queue is full' },
  '40320': { status: 503, title: 'Service temporarily unavailable' },
  '40321': { status: 400, title: 'No usable numbers on messaging profile' },
  '40322': { status: 400, title: 'Blocked due to content', pointer: '/text' },
  '40325': { status: 400, title: 'Invalid alphanumeric sender ID', pointer: '/from' },
  '40328': { status: 400, title: 'Message exceeds recommended size', pointer: '/text' },
  '40329': { status: 400, title: 'Toll-free number not verified', pointer: '/from' },
  '40331': { status: 400, title: 'No whitelisted destinations' },
  '40333': { status: 429, title: 'Messaging profile daily spend limit exceeded' },
};

/** Errors of texts that were accepted earlier. */
const failures: Record<string, string> = {
  '40001': 'Not routable',
  '40002': 'Blocked as spam - temporary',
  '40003': 'Blocked as spam - permanent',
  '40004': 'Rejected by destination',
  '40005': 'Message expired during transmission',
  '40006': 'Recipient server unavailable',
  '40008': 'Undeliverable',
  '40009': 'Invalid message body',
  '40010': 'Not 10DLC registered',
  '40011': 'Too many requests',
  '40012': 'Invalid messaging destination number',
  '40014': 'Message expired in queue',
  '40015': 'Blocked as spam - internal',
  '40016': 'T-Mobile 10DLC sending limit reached',
  '40017': 'AT&T 10DLC spam message rejected',
  '40018': 'AT&T 10DLC sending limit reached',
  '40300': 'Unreachable destination',
  '40329': 'Toll-free number not verified',
};

export const isRefusalCode = (code: string): boolean => Object.hasOwn(refusals, code);
export const isFailureCode = (code: string): boolean => Object.hasOwn(failures, code);

const page = (code: string) => ({
  url: `https://developers.telnyx.com/docs/overview/errors/${code}`,
});

/** Returns the refusal with that code; `status` replaces the usual HTTP status. */
export function refusal(
  code: string,
  detail?: string,
  options: {
    status?: number | undefined;
    title?: string | undefined;
    pointer?: string;
    headers?: Record<string, string>;
  } = {},
): TelnyxError {
  const known = refusals[code] ?? { status: 400, title: failures[code] ?? 'Bad Request' };
  const title = options.title ?? known.title;
  const pointer = options.pointer ?? known.pointer;
  return new TelnyxError(
    options.status ?? known.status,
    {
      code,
      title,
      detail: detail ?? `${title}.`,
      ...(pointer === undefined ? {} : { source: { pointer } }),
      meta: page(code),
    },
    options.headers,
  );
}

/** Returns the entry in `errors` of a message that failed with that code. */
export function failureEntry(code: string): ErrorEntry {
  const title = failures[code] ?? 'Unknown error';
  return {
    code,
    title,
    detail: `${title}: the message could not be delivered.`,
    source: { pointer: '/to/0/phone_number' },
    meta: page(code),
  };
}

export function writeTelnyxError(
  error: Error & { statusCode?: number },
  reply: FastifyReply,
): void {
  const known = error instanceof TelnyxError ? error : fromFastify(error);
  reply
    .code(known.status)
    .headers(known.headers)
    .send({ errors: [known.entry] });
}

function fromFastify(error: Error & { statusCode?: number }): TelnyxError {
  const status = error.statusCode ?? 500;
  if (status >= 500) return refusal('10007', 'An unexpected error occurred.', { status });
  return refusal('10015', error.message, { status });
}
