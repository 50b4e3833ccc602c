import { schedulerEvents } from '@daylift/contracts/scheduler.events';
import { smsEvents } from '@daylift/contracts/sms.events';
import { type Subscription, subscription } from '@daylift/events/consume';
import type { ContentDatabase } from './database.ts';
import { putProgress } from './scheduled-messages/progress.repository.ts';
import { markSent } from './scheduled-messages/scheduled-messages.repository.ts';

/** What this service does with the facts of others. */
export const subscriptions: Subscription<ContentDatabase>[] = [
  subscription('sms', smsEvents, { 'sms.batch.progressed': putProgress }),
  subscription('scheduler', schedulerEvents, {
    'scheduler.message.completed': (trx, { scheduled_message_id, completed_at, version }) =>
      markSent(trx, scheduled_message_id, new Date(completed_at), version),
  }),
];
