import type { Subscription } from '@daylift/events/consume';
import { contentSubscription, schedulerSubscription } from './admins/admins.consumers.ts';
import type { AccountsDatabase } from './database.ts';
import type { AccountsDeps } from './deps.ts';
import { billingSubscription, smsSubscription } from './users/users.consumers.ts';

/** Consumers of other services' events. */
export const subscriptions = (deps: AccountsDeps): Subscription<AccountsDatabase>[] => [
  billingSubscription(deps),
  smsSubscription(deps),
  contentSubscription(),
  schedulerSubscription(),
];
