import { endpoint, listed } from '../api/endpoint.ts';
import {
  boolean,
  hash,
  type Input,
  list,
  metadata,
  oneOf,
  optional,
  patchMetadata,
  text,
  url,
} from '../api/params.ts';
import { referCustomer } from '../customers/customers.ts';
import type { Act } from '../state/act.ts';
import { newId } from '../state/ids.ts';
import { nulls, type PortalConfiguration, type PortalSession } from '../state/objects.ts';

const customerUpdates = ['address', 'email', 'name', 'phone', 'shipping', 'tax_id'] as const;
const feature = optional(hash({ enabled: boolean }));
const configurationParams = {
  features: hash({
    customer_update: optional(
      hash({ enabled: boolean, allowed_updates: optional(list(oneOf(...customerUpdates))) }),
    ),
    invoice_history: feature,
    payment_method_update: feature,
    subscription_cancel: feature,
    subscription_update: feature,
  }),
  metadata: optional(metadata),
};

const isOn = (given: { enabled: boolean } | undefined) => given?.enabled ?? false;

/** Creates a configuration. The portal has the card and the invoices; the product cancels on its own pages. */
function createConfiguration(
  act: Act,
  input: Input<typeof configurationParams>,
): PortalConfiguration {
  const given = input.features;
  const configuration: PortalConfiguration = {
    id: newId('bpc'),
    object: 'billing_portal.configuration',
    active: true,
    application: null,
    business_profile: nulls('headline privacy_policy_url terms_of_service_url'),
    created: act.at,
    default_return_url: null,
    features: {
      customer_update: {
        allowed_updates: given.customer_update?.allowed_updates ?? [],
        enabled: isOn(given.customer_update),
      },
      invoice_history: { enabled: isOn(given.invoice_history) },
      payment_method_update: {
        enabled: isOn(given.payment_method_update),
        payment_method_configuration: null,
      },
      subscription_cancel: {
        cancellation_reason: { enabled: false, feedback_options: null, options: [] },
        enabled: isOn(given.subscription_cancel),
        mode: 'at_period_end',
        proration_behavior: 'none',
      },
      subscription_pause: {
        duration: {
          interval_options: [{ interval: 'month', interval_count: 1 }],
          type: 'interval_options',
        },
        enabled: false,
      },
      subscription_update: {
        billing_cycle_anchor: null,
        default_allowed_updates: [],
        enabled: isOn(given.subscription_update),
        products: null,
        proration_behavior: 'none',
        schedule_at_period_end: { conditions: [] },
        trial_update_behavior: 'end_trial',
      },
    },
    is_default: false,
    livemode: false,
    login_page: { enabled: false, url: null },
    metadata: patchMetadata({}, input.metadata),
    name: null,
    updated: act.at,
  };
  return act.tables.portalConfigurations.save(configuration);
}

const sessionParams = { configuration: text, customer: text, return_url: url };

function createSession(act: Act, input: Input<typeof sessionParams>): PortalSession {
  const { tables } = act;
  const id = newId('bps');
  return tables.portalSessions.save({
    ...nulls('customer_account flow locale on_behalf_of'),
    id,
    object: 'billing_portal.session',
    configuration: tables.portalConfigurations.refer(input.configuration, 'configuration').id,
    created: act.at,
    customer: referCustomer(tables, input.customer).id,
    livemode: false,
    return_url: input.return_url,
    url: `${act.settings.origin()}/p/session/${id}`,
  });
}

export const portalEndpoints = [
  endpoint('POST', '/v1/billing_portal/configurations', configurationParams, createConfiguration),
  listed('/v1/billing_portal/configurations', (tables) => tables.portalConfigurations, {
    active: optional(boolean),
  }),
  endpoint('POST', '/v1/billing_portal/sessions', sessionParams, createSession),
];
