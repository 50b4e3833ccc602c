import { schedulerEvents } from '@daylift/contracts/scheduler.events';
import { smsEvents } from '@daylift/contracts/sms.events';
import { type ConsumerDefinition, consumerOf } from '@daylift/events/handle-event';
import type { ContentDatabase } from './database.ts';
import { putProgress } from './scheduled-messages/progress.repository.ts';
import { markSent } from './scheduled-messages/scheduled-messages.repository.ts';

/** Consumers of other services' events. */
export const consumers = (): ConsumerDefinition<ContentDatabase>[] => [
  consumerOf('sms', smsEvents, { 'sms.batch.progressed': putProgress }),
  consumerOf('scheduler', schedulerEvents, {
    'scheduler.message.completed': (trx, { scheduled_message_id, completed_at, ...more }) =>
      markSent(trx, scheduled_message_id, new Date(completed_at), more),
  }),
];
