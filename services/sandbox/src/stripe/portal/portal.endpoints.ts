import { endpoint, reads } from '../api/endpoint.ts';
import {
  boolean,
  emptyable,
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
import { missingReference, refused } from '../api/stripe-error.ts';
import type { Act } from '../state/act.ts';
import { newId } from '../state/ids.ts';
import { nulls, type PortalConfiguration, type PortalSession } from '../state/objects.ts';

const switchable = optional(hash({ enabled: boolean }));
const features = hash({
  customer_update: switchable,
  invoice_history: switchable,
  payment_method_update: switchable,
  subscription_cancel: optional(
    hash({ enabled: boolean, mode: optional(oneOf('at_period_end', 'immediately')) }),
  ),
  subscription_update: optional(
    hash({
      enabled: boolean,
      default_allowed_updates: optional(list(oneOf('price', 'promotion_code', 'quantity'))),
      products: optional(list(hash({ prices: list(text), product: text }))),
    }),
  ),
});
const configurationParams = {
  default_return_url: optional(emptyable(url)),
  features,
  metadata: optional(metadata),
  name: optional(emptyable(text)),
};

const isOn = (feature: { enabled: boolean } | undefined) => feature?.enabled ?? false;

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
    default_return_url: input.default_return_url ?? null,
    features: {
      customer_update: { allowed_updates: [], enabled: isOn(given.customer_update) },
      invoice_history: { enabled: isOn(given.invoice_history) },
      payment_method_update: {
        enabled: isOn(given.payment_method_update),
        payment_method_configuration: null,
      },
      subscription_cancel: {
        cancellation_reason: { enabled: false, feedback_options: null, options: [] },
        enabled: isOn(given.subscription_cancel),
        mode: given.subscription_cancel?.mode ?? 'at_period_end',
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
        default_allowed_updates: given.subscription_update?.default_allowed_updates ?? [],
        enabled: isOn(given.subscription_update),
        products:
          given.subscription_update?.products?.map((each) => ({
            adjustable_quantity: { enabled: false, maximum: null, minimum: 1 },
            ...each,
          })) ?? null,
        proration_behavior: 'none',
        schedule_at_period_end: { conditions: [] },
        trial_update_behavior: 'end_trial',
      },
    },
    is_default: false,
    livemode: false,
    login_page: { enabled: false, url: null },
    metadata: patchMetadata({}, input.metadata),
    name: input.name ?? null,
    updated: act.at,
  };
  act.tables.portalConfigurations.save(configuration);
  act.emit('billing_portal.configuration.created', configuration);
  return configuration;
}

const sessionParams = {
  configuration: optional(text),
  customer: text,
  flow_data: optional(
    hash({
      after_completion: optional(
        hash({
          type: oneOf('hosted_confirmation', 'portal_homepage', 'redirect'),
          redirect: optional(hash({ return_url: url })),
        }),
      ),
      subscription_cancel: optional(hash({ subscription: text })),
      type: oneOf('payment_method_update', 'subscription_cancel'),
    }),
  ),
  return_url: optional(url),
};

function createSession(act: Act, input: Input<typeof sessionParams>): PortalSession {
  const { tables } = act;
  const customer = tables.customers.refer(input.customer, 'customer');
  if (tables.customers.hidden(customer.id).deleted) {
    throw missingReference('customer', customer.id, 'customer');
  }
  if (!input.configuration) {
    throw refused(
      'No configuration provided and your test mode default configuration has not been created. Provide a configuration or create your default by saving your customer portal settings in test mode at https://dashboard.stripe.com/test/settings/billing/portal.',
    );
  }
  const configuration = tables.portalConfigurations.refer(input.configuration, 'configuration');
  const return_url = input.return_url ?? configuration.default_return_url;
  if (!return_url) {
    throw refused('You must provide a `return_url`, or set a default one in the configuration.', {
      code: 'parameter_missing',
      param: 'return_url',
    });
  }
  const id = newId('bps');
  return tables.portalSessions.save({
    ...nulls('customer_account locale on_behalf_of'),
    id,
    object: 'billing_portal.session',
    configuration: configuration.id,
    created: act.at,
    customer: customer.id,
    flow: flowOf(act, input),
    livemode: false,
    return_url,
    url: `${act.settings.origin()}/p/session/${id}`,
  });
}

function flowOf(act: Act, input: Input<typeof sessionParams>): PortalSession['flow'] {
  const flow = input.flow_data;
  if (!flow) return null;
  const subscription = flow.subscription_cancel?.subscription;
  if (flow.type === 'subscription_cancel') {
    const param = 'flow_data[subscription_cancel][subscription]';
    const found = act.tables.subscriptions.refer(subscription ?? '', param);
    if (found.customer !== input.customer) throw missingReference('subscription', found.id, param);
  }
  return {
    ...nulls('customer_update subscription_pause subscription_update subscription_update_confirm'),
    after_completion: {
      hosted_confirmation: null,
      redirect: flow.after_completion?.redirect ?? null,
      type: flow.after_completion?.type ?? 'portal_homepage',
    },
    subscription_cancel: subscription ? { retention: null, subscription } : null,
    type: flow.type,
  };
}

export const portalEndpoints = [
  endpoint('POST', '/v1/billing_portal/configurations', configurationParams, createConfiguration),
  ...reads('/v1/billing_portal/configurations', (tables) => tables.portalConfigurations, {
    active: optional(boolean),
    is_default: optional(boolean),
  }),
  endpoint('POST', '/v1/billing_portal/sessions', sessionParams, createSession),
];
