import { endpoint } from '../api/endpoint.ts';
import { newId } from '../api/ids.ts';
import { page } from '../api/list.ts';
import { demand } from '../api/lookup.ts';
import {
  boolean,
  emptyable,
  list,
  listParams,
  metadata,
  oneOf,
  patchMetadata,
  required,
  text,
  timeRange,
  url,
  type Values,
} from '../api/params.ts';
import { invalidRequest } from '../api/stripe-error.ts';
import { type Act, API_VERSION } from '../state/act.ts';
import type { WebhookEndpoint } from '../state/objects.ts';
import type { StoredEvent } from '../state/tables.ts';
import { CONFIGURED_ENDPOINT, type Dispatcher } from './dispatch.ts';

const createParams = {
  api_version: oneOf(API_VERSION),
  description: emptyable(text),
  enabled_events: required(list(text)),
  metadata,
  url: required(url),
};
const updateParams = {
  description: emptyable(text),
  disabled: boolean,
  enabled_events: list(text),
  metadata,
  url,
};

const eventParams = {
  ...listParams,
  created: timeRange,
  delivery_success: boolean,
  type: text,
  types: list(text),
};

/** Everything about an endpoint but its secret, which only the answer to its creation shows. */
function shown(target: WebhookEndpoint): WebhookEndpoint {
  const { secret: _, ...rest } = target;
  return rest;
}

function create(act: Act, input: Values<typeof createParams>): WebhookEndpoint {
  const target: WebhookEndpoint = {
    id: newId('we'),
    object: 'webhook_endpoint',
    api_version: input.api_version ?? API_VERSION,
    application: null,
    created: act.at,
    description: input.description ?? null,
    enabled_events: input.enabled_events,
    livemode: false,
    metadata: patchMetadata({}, input.metadata),
    secret: newId('whsec', 32),
    status: 'enabled',
    url: input.url,
  };
  return act.tables.webhookEndpoints.save(target, null);
}

function update(
  act: Act,
  target: WebhookEndpoint,
  input: Values<typeof updateParams>,
): WebhookEndpoint {
  const { disabled, metadata: patch, ...fields } = input;
  const changed: WebhookEndpoint = {
    ...target,
    ...fields,
    metadata: patchMetadata(target.metadata, patch),
    ...(disabled === undefined ? {} : { status: disabled ? 'disabled' : 'enabled' }),
  };
  return shown(act.tables.webhookEndpoints.save(changed, null));
}

function remove(act: Act, id: string): object {
  demand(act.tables.webhookEndpoints, id);
  if (id === CONFIGURED_ENDPOINT) {
    throw invalidRequest('The endpoint of the configuration cannot be deleted; disable it.', {});
  }
  act.tables.webhookEndpoints.remove(id);
  return { id, object: 'webhook_endpoint', deleted: true };
}

const endpointCalls = [
  endpoint('POST', '/v1/webhook_endpoints', createParams, create),
  endpoint('GET', '/v1/webhook_endpoints/:id', {}, ({ tables }, _input, { id }) =>
    shown(demand(tables.webhookEndpoints, id)),
  ),
  endpoint('POST', '/v1/webhook_endpoints/:id', updateParams, (act, input, { id }) =>
    update(act, demand(act.tables.webhookEndpoints, id), input),
  ),
  endpoint('DELETE', '/v1/webhook_endpoints/:id', {}, (act, _input, { id }) => remove(act, id)),
  endpoint('GET', '/v1/webhook_endpoints', listParams, ({ tables }, input) => {
    const { webhookEndpoints } = tables;
    const found = page(webhookEndpoints, webhookEndpoints.ids(), input, '/v1/webhook_endpoints');
    return { ...found, data: found.data.map(shown) };
  }),
];

function listEvents(dispatcher: Dispatcher, act: Act, input: Values<typeof eventParams>): object {
  const { events } = act.tables;
  const wanted = input.types ?? (input.type ? [input.type] : null);
  const accepts = (event: StoredEvent) =>
    (wanted === null || wanted.some((pattern) => typeMatches(pattern, event.type))) &&
    (input.delivery_success === undefined ||
      (dispatcher.present(event).pending_webhooks === 0) === input.delivery_success);
  const one = wanted?.length === 1 && !wanted[0]!.endsWith('*') ? wanted[0]! : null;
  const ids = one ? events.idsBy('type', one) : events.ids();
  const found = page(events, ids, input, '/v1/events', accepts);
  return { ...found, data: found.data.map((event) => dispatcher.present(event)) };
}

function typeMatches(pattern: string, type: string): boolean {
  return pattern.endsWith('*') ? type.startsWith(pattern.slice(0, -1)) : pattern === type;
}

/** Events show how their delivery stands, which the dispatcher knows. */
export function webhookEndpoints(dispatcher: Dispatcher) {
  return [
    ...endpointCalls,
    endpoint('GET', '/v1/events/:id', {}, ({ tables }, _input, { id }) =>
      dispatcher.present(demand(tables.events, id)),
    ),
    endpoint('GET', '/v1/events', eventParams, (act, input) => listEvents(dispatcher, act, input)),
  ];
}
