import type { ErrorBody } from '@daylift/contracts/error';

/** An answer of 400 or more, or none at all (`status` 0). `detail` is a sentence for people. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly detail: string;
  readonly requestId: string;

  constructor(status: number, body: ErrorBody) {
    super(body.detail);
    this.name = 'ApiError';
    this.status = status;
    this.code = body.code;
    this.detail = body.detail;
    this.requestId = body.request_id;
  }
}

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

export interface CallOptions {
  body?: unknown;
  query?: Record<string, string | number | boolean | undefined>;
  /** The caller's own end, such as a page that was left. */
  signal?: AbortSignal | undefined;
  /** For what takes longer than usual, from the first byte to the last. */
  timeoutMs?: number;
  /** Goes on when the page is left meanwhile. */
  keepalive?: boolean;
}

interface SendOptions extends CallOptions {
  accept?: string;
  /** In the place of a time limit to the last byte. */
  limit?: AbortSignal;
}

export type Send = (method: Method, path: string, options: SendOptions) => Promise<Response>;

export type Call = <T>(method: Method, path: string, options?: CallOptions) => Promise<T>;

export interface Client {
  call: Call;
  /** What all of them go out by, for answers of other kinds. */
  send: Send;
}

export interface ClientDeps {
  basePath?: string;
  readToken: () => string | null;
  /** A token was sent and refused: the session has ended. Whoever answers a promise of `true` has renewed it: the call goes on. */
  onSessionEnded?: () => unknown;
  timeoutMs?: number;
  fetch?: typeof fetch;
}

export const withoutAnswer = (code: string, detail: string): ApiError =>
  new ApiError(0, { detail, code, request_id: '' });

const isErrorBody = (body: unknown): body is ErrorBody =>
  typeof body === 'object' && body !== null && 'detail' in body && typeof body.detail === 'string';

/** A proxy's own page or a broken body must not become words on the screen. */
const readError = async (response: Response): Promise<ApiError> => {
  const body: unknown = await response.json().catch(() => null);
  if (!isErrorBody(body)) {
    return new ApiError(response.status, {
      detail: 'The service did not answer as expected. Please try again.',
      code: 'UNREADABLE_ANSWER',
      request_id: response.headers.get('x-request-id') ?? '',
    });
  }
  return new ApiError(response.status, {
    detail: body.detail,
    code: body.code ?? 'UNKNOWN',
    request_id: body.request_id ?? '',
  });
};

const queryString = (query: CallOptions['query']): string => {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {})) {
    if (value !== undefined) search.set(name, String(value));
  }
  const text = search.toString();
  return text === '' ? '' : `?${text}`;
};

const readBody = async <T>(response: Response): Promise<T> => {
  const text = await response.text();
  return (text === '' ? undefined : JSON.parse(text)) as T;
};

/** One way out of the browser: base path, bearer token, time limit, errors as `ApiError`. */
export const createClient = (deps: ClientDeps): Client => {
  const { basePath = '/api', readToken, onSessionEnded, timeoutMs = 30_000 } = deps;
  const fetchNow: typeof fetch = deps.fetch ?? ((input, init) => fetch(input, init));

  const send: Send = async (method, path, options) => {
    const token = readToken();
    const headers = new Headers({ accept: options.accept ?? 'application/json' });
    if (token !== null) headers.set('authorization', `Bearer ${token}`);
    if (options.body !== undefined) headers.set('content-type', 'application/json');
    const limit = options.limit ?? AbortSignal.timeout(options.timeoutMs ?? timeoutMs);
    const signal = options.signal ? AbortSignal.any([limit, options.signal]) : limit;

    let response: Response;
    try {
      response = await fetchNow(`${basePath}${path}${queryString(options.query)}`, {
        method,
        headers,
        signal,
        keepalive: options.keepalive ?? false,
        ...(options.body === undefined ? {} : { body: JSON.stringify(options.body) }),
      });
    } catch (error) {
      if (options.signal?.aborted) throw error;
      throw limit.aborted
        ? withoutAnswer('TIMEOUT', 'The service takes too long to answer. Please try again.')
        : withoutAnswer('OFFLINE', 'You seem to be offline. Check your connection and try again.');
    }
    if (response.ok) return response;
    // Another tab may have signed in meanwhile: only the token that was refused has ended.
    if (response.status === 401 && token !== null && readToken() === token) {
      const error = await readError(response);
      if ((await onSessionEnded?.()) === true) return send(method, path, options);
      throw error;
    }
    throw await readError(response);
  };

  return {
    call: async (method, path, options = {}) => readBody(await send(method, path, options)),
    send,
  };
};
