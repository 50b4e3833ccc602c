import type { Act } from '../state/act.ts';
import { newId } from '../state/ids.ts';
import { nulls, type SetupIntent } from '../state/objects.ts';

/** Records that a customer saved a card for later charges. */
export function recordSetup(act: Act, customer: string, paymentMethod: string): SetupIntent {
  const id = newId('seti');
  const intent: SetupIntent = {
    ...nulls('application automatic_payment_methods cancellation_reason customer_account'),
    ...nulls('description excluded_payment_method_types flow_directions last_setup_error'),
    ...nulls('latest_attempt mandate next_action on_behalf_of payment_method_options'),
    ...nulls('payment_method_configuration_details single_use_mandate'),
    id,
    object: 'setup_intent',
    allowed_payment_method_types: ['card'],
    client_secret: `${id}_secret_${newId('s').slice(2)}`,
    created: act.at,
    customer,
    livemode: false,
    metadata: {},
    payment_method: paymentMethod,
    payment_method_types: ['card'],
    status: 'succeeded',
    usage: 'off_session',
  };
  act.tables.setupIntents.save(intent);
  act.emit('setup_intent.succeeded', intent);
  return intent;
}
