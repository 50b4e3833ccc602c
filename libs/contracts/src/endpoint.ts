import type { Static, TSchema } from 'typebox';
import { IdParams } from './fields.ts';

export type ServiceName =
  | 'accounts'
  | 'billing'
  | 'content'
  | 'scheduler'
  | 'sms-gateway'
  | 'gateway';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';
/** The endpoint's unique name. The path is below /api at the gateway, and the same without /api at the service. */
export type EndpointKey = `${Method} /${string}`;

/**
 * Who may call. `visitor`: everyone; a signed-in subscriber is identified. `self`: every admin, including one who must set
 * up two-step sign-in first. `webhook`: a provider, which signs the raw body. `internal`: our own services.
 */
export type Access =
  | 'public'
  | 'visitor'
  | 'user'
  | 'self'
  | 'viewer'
  | 'operator'
  | 'owner'
  | 'webhook'
  | 'internal';

export type RateClass =
  | 'general'
  | 'login'
  | 'signup'
  | 'code'
  | 'checkout'
  | 'payment-status'
  | 'promotion'
  | 'letter'
  | 'none';

interface Shape {
  rate?: RateClass;
  params?: TSchema;
  query?: TSchema;
  body?: TSchema;
  response?: TSchema;
  /** Default 200. With several, the first is the default and the handler sets the others. */
  status?: number | readonly number[];
  /** Statuses of 400 and more besides those of `errorStatuses`. */
  errors?: readonly number[];
  slow?: true;
  large?: true;
  /** Also open to a subscriber who must choose a password first. */
  beforeOwnPassword?: true;
  /** The response is one page of a list; its header `x-total-count` is the length of the whole list. */
  paged?: true;
  type?: string;
  streams?: true;
  /** The internal endpoint to which the gateway forwards these webhooks in sets. */
  collectedBy?: `/internal/${string}`;
}

export type Endpoint = Shape &
  (
    | { access: Exclude<Access, 'webhook' | 'internal'>; summary: string }
    | { access: 'webhook' | 'internal'; summary?: never }
  );
export type Endpoints = Record<EndpointKey, Endpoint>;

export interface Api<T = Endpoints> {
  service: ServiceName;
  endpoints: T;
}

const endpointFor =
  <A extends Access>(access: A) =>
  <const S extends Shape = object>(summary: string, shape?: S) =>
    ({ access, summary, ...shape }) as { access: A; summary: string } & S;

export const anyone = endpointFor('public');
export const visitor = endpointFor('visitor');
export const user = endpointFor('user');
export const self = endpointFor('self');
export const viewer = endpointFor('viewer');
export const operator = endpointFor('operator');
export const owner = endpointFor('owner');

type WithParams<T> = {
  [K in keyof T]: T[K] extends { params: TSchema }
    ? T[K]
    : K extends `${string}/:id` | `${string}/:id/${string}`
      ? T[K] & { params: typeof IdParams }
      : T[K];
};

/** Declares endpoints. A path with `:id` has `IdParams` unless it declares others. */
export const defineEndpoints = <const T extends Endpoints>(endpoints: T): WithParams<T> =>
  Object.fromEntries(
    Object.entries(endpoints).map(([key, endpoint]) => [
      key,
      /\/:id(\/|$)/.test(key) ? { params: IdParams, ...endpoint } : endpoint,
    ]),
  ) as WithParams<T>;
/** Declares every endpoint of a service, once; the routes, guards, docs and typed clients derive from it. */
export const defineApi = <const T extends Endpoints>(
  service: ServiceName,
  endpoints: T,
): Api<WithParams<T>> => ({ service, endpoints: defineEndpoints(endpoints) });

export interface EndpointEntry {
  key: EndpointKey;
  method: Method;
  path: string;
  endpoint: Endpoint;
}

export const listEndpoints = ({ endpoints }: Api): EndpointEntry[] =>
  Object.entries(endpoints).map(([name, endpoint]) => {
    const [method, path] = name.split(' ') as [Method, string];
    return { key: name as EndpointKey, method, path, endpoint };
  });

export function errorStatuses({ method, endpoint }: EndpointEntry): number[] {
  const { access, rate, params, errors = [] } = endpoint;
  const isOpen = access === 'public' || access === 'visitor' || access === 'webhook';
  return [
    400,
    ...(isOpen ? [] : [401, 403]),
    ...(method === 'POST' || method === 'PUT' ? [413, 415] : []),
    ...(rate === 'none' || access === 'internal' ? [] : [429]),
    503,
    ...(params ? [404] : []),
    ...errors,
  ];
}

export const successStatuses = ({ response, status = 200 }: Endpoint): readonly number[] => {
  if (response === undefined) return [204];
  return typeof status === 'number' ? [status] : status;
};

type Part<E, Name extends string> =
  E extends Record<Name, infer S extends TSchema> ? Static<S> : undefined;
export type ParamsOf<E> = Part<E, 'params'>;
export type QueryOf<E> = Part<E, 'query'>;
export type BodyOf<E> = Part<E, 'body'>;
export type ResponseOf<E> = E extends { paged: true }
  ? { rows: Part<E, 'response'>; total: number }
  : Part<E, 'response'>;
