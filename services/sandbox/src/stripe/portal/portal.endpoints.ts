import { endpoint } from '../api/endpoint.ts';
import { newId } from '../api/ids.ts';
import { page } from '../api/list.ts';
import { demand, refer } from '../api/lookup.ts';
import {
  boolean,
  emptyable,
  hash,
  list,
  listParams,
  metadata,
  oneOf,
  patchMetadata,
  required,
  text,
  url,
  type Values,
} from '../api/params.ts';
import { missingReference, refused } from '../api/stripe-error.ts';
import { type Act, amend } from '../state/act.ts';
import type { PortalConfiguration, PortalSession } from '../state/objects.ts';

const enabled = required(boolean);
const features = {
  customer_update: hash({ allowed_updates: emptyable(list(text)), enabled: boolean }),
  invoice_history: hash({ enabled }),
  payment_method_update: hash({ enabled }),
  subscription_cancel: hash({
    cancellation_reason: hash({ enabled, options: emptyable(list(text)) }),
    enabled: boolean,
    mode: oneOf('at_period_end', 'immediately'),
    proration_behavior: oneOf('always_invoice', 'create_prorations', 'none'),
  }),
  subscription_update: hash({
    default_allowed_updates: emptyable(list(oneOf('price', 'promotion_code', 'quantity'))),
    enabled: boolean,
    products: emptyable(list(hash({ prices: required(list(text)), product: required(text) }))),
    proration_behavior: oneOf('always_invoice', 'create_prorations', 'none'),
  }),
};
const configurationParams = {
  business_profile: hash({
    headline: emptyable(text),
    privacy_policy_url: url,
    terms_of_service_url: url,
  }),
  default_return_url: emptyable(url),
  features: hash(features),
  metadata,
  name: emptyable(text),
};
const createConfigurationParams = {
  ...configurationParams,
  features: required(configurationParams.features),
};
const updateConfigurationParams = { ...configurationParams, active: boolean };

type ConfigurationInput = Values<typeof updateConfigurationParams>;

function featuresOf(
  given: ConfigurationInput['features'] = {},
  current?: PortalConfiguration['features'],
): PortalConfiguration['features'] {
  const cancel = given.subscription_cancel;
  return {
    customer_update: {
      allowed_updates: (given.customer_update?.allowed_updates as 'email'[]) ?? [],
      enabled: given.customer_update?.enabled ?? current?.customer_update.enabled ?? false,
    },
    invoice_history: {
      enabled: given.invoice_history?.enabled ?? current?.invoice_history.enabled ?? false,
    },
    payment_method_update: {
      enabled:
        given.payment_method_update?.enabled ?? current?.payment_method_update.enabled ?? false,
      payment_method_configuration: null,
    },
    subscription_cancel: {
      cancellation_reason: {
        enabled: cancel?.cancellation_reason?.enabled ?? false,
        feedback_options: null,
        options: (cancel?.cancellation_reason?.options as 'other'[]) ?? [],
      },
      enabled: cancel?.enabled ?? current?.subscription_cancel.enabled ?? false,
      mode: cancel?.mode ?? current?.subscription_cancel.mode ?? 'at_period_end',
      proration_behavior:
        cancel?.proration_behavior ?? current?.subscription_cancel.proration_behavior ?? 'none',
    },
    subscription_pause: {
      duration: {
        interval_options: [{ interval: 'month', interval_count: 1 }],
        type: 'interval_options',
      },
      enabled: false,
    },
    subscription_update: updateFeature(given.subscription_update, current?.subscription_update),
  };
}

function updateFeature(
  given: NonNullable<ConfigurationInput['features']>['subscription_update'],
  current?: PortalConfiguration['features']['subscription_update'],
): PortalConfiguration['features']['subscription_update'] {
  return {
    billing_cycle_anchor: null,
    default_allowed_updates:
      given?.default_allowed_updates ?? current?.default_allowed_updates ?? [],
    enabled: given?.enabled ?? current?.enabled ?? false,
    products:
      given?.products?.map((each) => ({
        adjustable_quantity: { enabled: false, maximum: null, minimum: 1 },
        ...each,
      })) ??
      current?.products ??
      null,
    proration_behavior: given?.proration_behavior ?? current?.proration_behavior ?? 'none',
    schedule_at_period_end: { conditions: [] },
    trial_update_behavior: 'end_trial',
  };
}

function createConfiguration(act: Act, input: Values<typeof createConfigurationParams>) {
  const profile = input.business_profile;
  const configuration: PortalConfiguration = {
    id: newId('bpc'),
    object: 'billing_portal.configuration',
    active: true,
    application: null,
    business_profile: {
      headline: profile?.headline ?? null,
      privacy_policy_url: profile?.privacy_policy_url ?? null,
      terms_of_service_url: profile?.terms_of_service_url ?? null,
    },
    created: act.at,
    default_return_url: input.default_return_url ?? null,
    features: featuresOf(input.features),
    is_default: false,
    livemode: false,
    login_page: { enabled: false, url: null },
    metadata: patchMetadata({}, input.metadata),
    name: input.name ?? null,
    updated: act.at,
  };
  act.tables.portalConfigurations.save(configuration, null);
  act.emit('billing_portal.configuration.created', configuration);
  return configuration;
}

function updateConfiguration(
  act: Act,
  configuration: PortalConfiguration,
  input: ConfigurationInput,
): PortalConfiguration {
  const { business_profile, features: given, metadata: patch, ...fields } = input;
  return amend(
    act,
    act.tables.portalConfigurations,
    configuration,
    {
      ...fields,
      business_profile: { ...configuration.business_profile, ...business_profile },
      features: featuresOf(given, configuration.features),
      metadata: patchMetadata(configuration.metadata ?? {}, patch),
      updated: act.at,
    },
    'billing_portal.configuration.updated',
  );
}

const sessionParams = {
  configuration: text,
  customer: required(text),
  flow_data: hash({
    after_completion: hash({
      type: required(oneOf('hosted_confirmation', 'portal_homepage', 'redirect')),
      redirect: hash({ return_url: required(url) }),
    }),
    subscription_cancel: hash({ subscription: required(text) }),
    type: required(oneOf('payment_method_update', 'subscription_cancel')),
  }),
  locale: text,
  return_url: url,
};

function createSession(act: Act, input: Values<typeof sessionParams>): PortalSession {
  const { tables } = act;
  const customer = refer(tables.customers, input.customer, 'customer');
  if (tables.customers.hidden(customer.id).deleted) {
    throw missingReference('customer', customer.id, 'customer');
  }
  if (!input.configuration) {
    throw refused(
      'No configuration provided and your test mode default configuration has not been created. Provide a configuration or create your default by saving your customer portal settings in test mode at https://dashboard.stripe.com/test/settings/billing/portal.',
    );
  }
  const configuration = refer(tables.portalConfigurations, input.configuration, 'configuration');
  const return_url = input.return_url ?? configuration.default_return_url;
  if (!return_url) {
    throw refused('You must provide a `return_url`, or set a default one in the configuration.', {
      code: 'parameter_missing',
      param: 'return_url',
    });
  }
  const id = newId('bps');
  const session: PortalSession = {
    id,
    object: 'billing_portal.session',
    configuration: configuration.id,
    created: act.at,
    customer: customer.id,
    customer_account: null,
    flow: flowOf(act, input),
    livemode: false,
    locale: null,
    on_behalf_of: null,
    return_url,
    url: `${act.settings.origin()}/p/session/${id}`,
  };
  return tables.portalSessions.save(session, null);
}

function flowOf(act: Act, input: Values<typeof sessionParams>): PortalSession['flow'] {
  const flow = input.flow_data;
  if (!flow) return null;
  const subscription = flow.subscription_cancel?.subscription;
  if (flow.type === 'subscription_cancel') {
    const found = refer(
      act.tables.subscriptions,
      subscription ?? '',
      'flow_data[subscription_cancel][subscription]',
    );
    if (found.customer !== input.customer) {
      throw missingReference('subscription', found.id, 'flow_data[subscription_cancel]');
    }
  }
  return {
    after_completion: {
      hosted_confirmation: null,
      redirect: flow.after_completion?.redirect ?? null,
      type: flow.after_completion?.type ?? 'portal_homepage',
    },
    subscription_cancel: subscription ? { retention: null, subscription } : null,
    subscription_pause: null,
    subscription_update: null,
    subscription_update_confirm: null,
    type: flow.type,
  } as PortalSession['flow'];
}

export const portalEndpoints = [
  endpoint(
    'POST',
    '/v1/billing_portal/configurations',
    createConfigurationParams,
    createConfiguration,
  ),
  endpoint('GET', '/v1/billing_portal/configurations/:id', {}, ({ tables }, _input, { id }) =>
    demand(tables.portalConfigurations, id),
  ),
  endpoint(
    'POST',
    '/v1/billing_portal/configurations/:id',
    updateConfigurationParams,
    (act, input, { id }) =>
      updateConfiguration(act, demand(act.tables.portalConfigurations, id), input),
  ),
  endpoint(
    'GET',
    '/v1/billing_portal/configurations',
    { ...listParams, active: boolean, is_default: boolean },
    ({ tables: { portalConfigurations } }, input) =>
      page(
        portalConfigurations,
        portalConfigurations.ids(),
        input,
        '/v1/billing_portal/configurations',
        (each) =>
          (input.active === undefined || each.active === input.active) &&
          (input.is_default === undefined || each.is_default === input.is_default),
      ),
  ),
  endpoint('POST', '/v1/billing_portal/sessions', sessionParams, createSession),
];
