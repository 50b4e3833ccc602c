import type { ErrorBody } from '@daylift/contracts/error';
import type { CallArguments, CallSettings, EndpointName, PublicResponse } from './endpoints.ts';

/** An error response, or no response at all (`status` 0). `detail` is a sentence for the user. */
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

interface SendOptions extends CallSettings {
  params?: Record<string, string>;
  query?: Record<string, string | number | boolean | undefined>;
  body?: unknown;
  accept?: string;
  /** Replaces the timeout of the whole call. */
  limit?: AbortSignal;
}

export type Send = (endpoint: EndpointName, options: SendOptions) => Promise<Response>;

export type Call = <K extends EndpointName>(
  endpoint: K,
  ...options: CallArguments<K>
) => Promise<PublicResponse<K>>;

export interface Client {
  call: Call;
  send: Send;
}

export interface ClientDeps {
  basePath?: string;
  readToken: () => string | null;
  /** Called when a token is rejected. If it resolves to true, the token was renewed and the call is retried. */
  onSessionEnded?: () => unknown;
  timeoutMs?: number;
  fetch?: typeof fetch;
}

export const noResponse = (code: string, detail: string): ApiError =>
  new ApiError(0, { detail, code, request_id: '' });

const isErrorBody = (body: unknown): body is ErrorBody =>
  typeof body === 'object' && body !== null && 'detail' in body && typeof body.detail === 'string';

/** Replaces unusable error bodies, such as a proxy's HTML page. */
const readError = async (response: Response): Promise<ApiError> => {
  const body: unknown = await response.json().catch(() => null);
  if (!isErrorBody(body)) {
    return new ApiError(response.status, {
      detail: 'Something went wrong on our side. Please try again.',
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

const queryString = (query: SendOptions['query']): string => {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {})) {
    if (value !== undefined) search.set(name, String(value));
  }
  const text = search.toString();
  return text === '' ? '' : `?${text}`;
};

const readBody = async <T>(response: Response): Promise<T> => {
  const text = await response.text();
  const body: unknown = text === '' ? undefined : JSON.parse(text);
  const total = response.headers.get('x-total-count');
  return (total === null ? body : { rows: body, total: Number(total) }) as T;
};

const pathOf = (endpoint: string, params: SendOptions['params'] = {}): string =>
  endpoint.replaceAll(/:(\w+)/g, (_all, name: string) => encodeURIComponent(params[name] ?? ''));

export const createClient = (deps: ClientDeps): Client => {
  const { basePath = '/api', readToken, onSessionEnded, timeoutMs = 30_000 } = deps;
  const fetchNow: typeof fetch = deps.fetch ?? ((input, init) => fetch(input, init));

  const send = async (endpoint: string, options: SendOptions): Promise<Response> => {
    const [method = '', path = ''] = pathOf(endpoint, options.params).split(' ');
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
        ? noResponse('TIMEOUT', 'This is taking too long. Please try again.')
        : noResponse('OFFLINE', 'You seem to be offline. Check your connection and try again.');
    }
    if (response.ok) return response;
    const error = await readError(response);
    if (response.status === 401 && token !== null) {
      const current = readToken();
      // This or another tab may have a new token by now, so end only the rejected one. A write isn't repeated: the new
      // session may be of another account.
      const isRenewed =
        current === token
          ? (await onSessionEnded?.()) === true
          : current !== null && method === 'GET';
      if (isRenewed) return send(endpoint, options);
    }
    throw error;
  };

  return {
    call: async (endpoint, ...[options]) =>
      readBody(await send(endpoint, (options ?? {}) as SendOptions)),
    send,
  };
};
