import { accountsEvents } from '@daylift/contracts/accounts.events';
import { billingEvents } from '@daylift/contracts/billing.events';
import { contentEvents } from '@daylift/contracts/content.events';
import { smsEvents } from '@daylift/contracts/sms.events';
import { type ConsumerDefinition, consumerOf } from '@daylift/events/handle-event';
import {
  messageDeleted,
  messageScheduled,
  sequenceChanged,
  templateChanged,
} from './completions/contents.consumers.ts';
import type { SchedulerDatabase } from './database.ts';
import type { SchedulerDeps } from './deps.ts';
import { textsSettled } from './planning/settle.consumers.ts';
import {
  numberChanged,
  optedIn,
  optedOut,
  settingsChanged,
  subscriptionChanged,
  userDeleted,
} from './planning/subscribers.consumers.ts';

/** Consumers of other services' events. */
export function consumers(
  deps: Pick<SchedulerDeps, 'clock' | 'spreadMs'>,
): ConsumerDefinition<SchedulerDatabase>[] {
  const settled = textsSettled(deps);
  return [
    consumerOf('accounts', accountsEvents, {
      'accounts.settings.changed': settingsChanged(deps),
      'accounts.user.deleted': userDeleted,
    }),
    consumerOf('billing', billingEvents, {
      'billing.subscription.changed': subscriptionChanged(deps),
    }),
    consumerOf('content', contentEvents, {
      'content.message.scheduled': messageScheduled,
      'content.message.deleted': messageDeleted,
      'content.template.changed': templateChanged,
      'content.sequence.changed': sequenceChanged,
    }),
    consumerOf(
      'sms',
      smsEvents,
      {
        'sms.text.settled': (trx, result) => settled(trx, [result]),
        'sms.recipient.opted_out': optedOut,
        'sms.recipient.opted_in': optedIn,
        'sms.recipient.number_changed': numberChanged,
      },
      {
        'sms.texts.settled': (trx, items) =>
          settled(
            trx,
            items.flatMap(({ data }) => data.results),
          ),
      },
    ),
  ];
}
