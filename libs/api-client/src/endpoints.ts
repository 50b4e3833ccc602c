import type { accountsApi } from '@daylift/contracts/accounts.api';
import type { billingApi } from '@daylift/contracts/billing.api';
import type { contentApi } from '@daylift/contracts/content.api';
import type { BodyOf, ParamsOf, QueryOf, ResponseOf } from '@daylift/contracts/endpoint';
import type { gatewayApi } from '@daylift/contracts/gateway.api';
import type { schedulerApi } from '@daylift/contracts/scheduler.api';
import type { smsGatewayApi } from '@daylift/contracts/sms-gateway.api';

type Declared = typeof accountsApi.endpoints &
  typeof billingApi.endpoints &
  typeof contentApi.endpoints &
  typeof schedulerApi.endpoints &
  typeof smsGatewayApi.endpoints &
  typeof gatewayApi.endpoints;

type PublicEndpoints = {
  [K in keyof Declared as Declared[K]['access'] extends 'internal' | 'webhook'
    ? never
    : K]: Declared[K];
};

/** `METHOD /path` of an endpoint, as it is declared in `@daylift/contracts`. */
export type EndpointName = keyof PublicEndpoints;
export type PublicResponse<K extends EndpointName> = ResponseOf<PublicEndpoints[K]>;
export type Body<K extends EndpointName> = BodyOf<PublicEndpoints[K]>;
/** Omitted fields use their defaults. */
export type Query<K extends EndpointName> = {
  [F in keyof QueryOf<PublicEndpoints[K]>]?: QueryOf<PublicEndpoints[K]>[F] | undefined;
};

export interface CallSettings {
  signal?: AbortSignal | undefined;
  timeoutMs?: number;
  /** Lets the call finish after the user leaves the page. */
  keepalive?: boolean;
}

type Field<Name extends string, T> = T extends undefined
  ? unknown
  : Partial<T> extends T
    ? Partial<Record<Name, T>>
    : Record<Name, T>;
export type CallOptions<K extends EndpointName> = CallSettings &
  Field<'params', ParamsOf<PublicEndpoints[K]>> &
  Field<'body', Body<K>> &
  (QueryOf<PublicEndpoints[K]> extends undefined ? unknown : { query?: Query<K> });

/** The options may be omitted if the endpoint requires none. */
export type CallArguments<K extends EndpointName> =
  CallSettings extends CallOptions<K> ? [options?: CallOptions<K>] : [options: CallOptions<K>];
