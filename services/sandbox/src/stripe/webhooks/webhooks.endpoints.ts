import { endpoint, reads } from '../api/endpoint.ts';
import {
  boolean,
  emptyable,
  list,
  metadata,
  oneOf,
  optional,
  patchMetadata,
  text,
  url,
} from '../api/params.ts';
import { invalidRequest } from '../api/stripe-error.ts';
import { API_VERSION } from '../state/act.ts';
import { newId } from '../state/ids.ts';
import type { WebhookEndpoint } from '../state/objects.ts';
import type { StoredEvent } from '../state/tables.ts';
import { CONFIGURED_ENDPOINT, type Dispatcher } from './dispatch.ts';

const shared = { description: optional(emptyable(text)), metadata: optional(metadata) };
const createParams = {
  ...shared,
  api_version: optional(oneOf(API_VERSION)),
  enabled_events: list(text),
  url,
};
const updateParams = {
  ...shared,
  disabled: optional(boolean),
  enabled_events: optional(list(text)),
  url: optional(url),
};

/** Hides the secret, which only the response to the creation contains. */
function shown({ secret: _, ...target }: WebhookEndpoint): WebhookEndpoint {
  return target;
}

export function webhookEndpoints(dispatcher: Dispatcher) {
  return [
    endpoint('POST', '/v1/webhook_endpoints', createParams, (act, input) =>
      act.tables.webhookEndpoints.save({
        id: newId('we'),
        object: 'webhook_endpoint',
        api_version: API_VERSION,
        application: null,
        created: act.at,
        description: input.description ?? null,
        enabled_events: input.enabled_events,
        livemode: false,
        metadata: patchMetadata({}, input.metadata),
        secret: newId('whsec', 32),
        status: 'enabled',
        url: input.url,
      }),
    ),
    endpoint('POST', '/v1/webhook_endpoints/:id', updateParams, ({ tables }, input, id) => {
      const { disabled, metadata: patch, ...fields } = input;
      const target = tables.webhookEndpoints.get(id);
      const status = disabled ? 'disabled' : 'enabled';
      const changed = {
        ...target,
        ...fields,
        ...(disabled !== undefined && { status }),
        metadata: patchMetadata(target.metadata, patch),
      };
      return shown(tables.webhookEndpoints.save(changed));
    }),
    endpoint('DELETE', '/v1/webhook_endpoints/:id', {}, ({ tables }, _input, id) => {
      tables.webhookEndpoints.get(id);
      if (id === CONFIGURED_ENDPOINT) {
        throw invalidRequest('The configured endpoint cannot be deleted. Disable it instead.');
      }
      tables.webhookEndpoints.remove(id);
      return { id, object: 'webhook_endpoint', deleted: true };
    }),
    ...reads(
      '/v1/webhook_endpoints',
      (tables) => tables.webhookEndpoints,
      {},
      () => ({
        show: shown,
      }),
    ),
    ...reads(
      '/v1/events',
      (tables) => tables.events,
      {
        delivery_success: optional(boolean),
        type: optional(text),
        types: optional(list(text)),
      },
      () => ({
        filters: {
          types: (event: StoredEvent, types: string[]) => types.includes(event.type),
          delivery_success: (event: StoredEvent, wanted: boolean) =>
            (dispatcher.present(event).pending_webhooks === 0) === wanted,
        },
        show: dispatcher.present,
      }),
    ),
  ];
}
