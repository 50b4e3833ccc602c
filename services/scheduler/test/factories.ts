import { randomUUID } from 'node:crypto';
import type { DeliverySettings } from '@daylift/contracts/accounts.events';
import type { SubscriptionState } from '@daylift/contracts/billing.events';
import type {
  LibraryTemplate,
  ScheduledContent,
  SequenceText,
} from '@daylift/contracts/content.events';
import type { Scheduler } from './harness.ts';

export const someSettings = (change: Partial<DeliverySettings> = {}): DeliverySettings => ({
  user_id: randomUUID(),
  version: 1,
  timezone: 'America/New_York',
  delivery_hour: 9,
  frequency: 'daily',
  weekday: null,
  is_active: true,
  delivery_enabled: true,
  paused_until: null,
  consent: 'granted',
  registered_at: '2027-03-05T12:00:00.000Z',
  ...change,
});

export const aSubscription = (change: Partial<SubscriptionState> = {}): SubscriptionState => ({
  user_id: randomUUID(),
  version: 1,
  status: 'trial',
  plan: 'monthly',
  trial_end: null,
  current_period_end: null,
  cancel_at_period_end: false,
  entitled: true,
  entitled_until: null,
  entitled_since: '2027-03-05T12:00:00.000Z',
  ...change,
});

export const aMessage = (change: Partial<ScheduledContent> = {}): ScheduledContent => ({
  id: randomUUID(),
  version: 1,
  title: 'A kind word',
  content: 'Good morning, {{first_name}}.',
  scheduled_date: '2027-03-06',
  scheduled_time: '08:00',
  category: 'daily_motivation',
  ...change,
});

export const aTemplate = (change: Partial<LibraryTemplate> = {}): LibraryTemplate => ({
  id: randomUUID(),
  version: 1,
  content: 'One step is enough for today.',
  is_active: true,
  ...change,
});

export const aSequenceText = (change: Partial<SequenceText> = {}): SequenceText => ({
  id: randomUUID(),
  version: 2,
  day: 1,
  content: 'Welcome, {{first_name}}.',
  is_active: true,
  ...change,
});

/** Creates an eligible subscriber, entitled since noon UTC of 5 March 2027 by default. */
export async function subscribe(
  scheduler: Scheduler,
  settings: Partial<DeliverySettings> = {},
  subscription: Partial<SubscriptionState> = {},
): Promise<DeliverySettings> {
  const chosen = someSettings(settings);
  await scheduler.receive('accounts.settings.changed', chosen);
  await scheduler.receive(
    'billing.subscription.changed',
    aSubscription({ user_id: chosen.user_id, ...subscription }),
  );
  return chosen;
}

export async function change(
  scheduler: Scheduler,
  settings: DeliverySettings,
  changes: Partial<DeliverySettings>,
): Promise<DeliverySettings> {
  const next = { ...settings, ...changes, version: settings.version + 1 };
  await scheduler.receive('accounts.settings.changed', next);
  return next;
}
