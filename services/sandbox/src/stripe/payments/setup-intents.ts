import { newId } from '../api/ids.ts';
import type { Act } from '../state/act.ts';
import type { SetupIntent } from '../state/objects.ts';

/** Records that a customer put a card on file for later charges. */
export function recordSetup(act: Act, customer: string, paymentMethod: string): SetupIntent {
  const id = newId('seti');
  const intent: SetupIntent = {
    id,
    object: 'setup_intent',
    allowed_payment_method_types: ['card'],
    application: null,
    automatic_payment_methods: null,
    cancellation_reason: null,
    client_secret: `${id}_secret_${newId('s').slice(2)}`,
    created: act.at,
    customer,
    customer_account: null,
    description: null,
    excluded_payment_method_types: null,
    flow_directions: null,
    last_setup_error: null,
    latest_attempt: null,
    livemode: false,
    mandate: null,
    metadata: {},
    next_action: null,
    on_behalf_of: null,
    payment_method: paymentMethod,
    payment_method_configuration_details: null,
    payment_method_options: null,
    payment_method_types: ['card'],
    single_use_mandate: null,
    status: 'succeeded',
    usage: 'off_session',
  };
  act.tables.setupIntents.save(intent, null);
  act.emit('setup_intent.succeeded', intent);
  return intent;
}
