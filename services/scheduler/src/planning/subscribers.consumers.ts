import type { DeliverySettings } from '@daylift/contracts/accounts.events';
import type { SubscriptionState } from '@daylift/contracts/billing.events';
import { eraseFailedEvents } from '@daylift/events/erase';
import type { Transaction } from 'kysely';
import { forgetTemplates } from '../contents/past-templates.repository.ts';
import type { SchedulerDatabase } from '../database.ts';
import type { SchedulerDeps } from '../deps.ts';
import { cancelAllPlanned, eraseChoices } from '../dispatches/dispatches.repository.ts';
import {
  lockOrCreateSubscriber,
  rememberZone,
  updateSubscriber,
} from '../subscribers/subscribers.repository.ts';
import type { Subscriber } from '../subscribers/subscribers.table.ts';
import { replan } from './replan.ts';

type Trx = Transaction<SchedulerDatabase>;
type Deps = Pick<SchedulerDeps, 'clock' | 'spreadMs'>;

/** Stores a subscriber's settings and permissions; an older version changes nothing. */
export const settingsChanged = (deps: Deps) => async (trx: Trx, data: DeliverySettings) => {
  const before = await lockOrCreateSubscriber(trx, data.user_id);
  if (before.is_deleted || data.version <= before.settings_version) return;
  const after = await updateSubscriber(trx, data.user_id, {
    settings_version: data.version,
    timezone: data.timezone,
    delivery_hour: data.delivery_hour,
    frequency: data.frequency,
    weekday: data.weekday,
    is_active: data.is_active,
    delivery_enabled: data.delivery_enabled,
    paused_until: data.paused_until,
    consent: data.consent,
    ...withoutPlan(before, data.is_active),
  });
  await rememberZone(trx, data.timezone);
  await replan(trx, before, after, deps.clock.now(), deps.spreadMs);
};

/** Stores a subscriber's entitlement; an older version changes nothing. */
export const subscriptionChanged = (deps: Deps) => async (trx: Trx, data: SubscriptionState) => {
  const before = await lockOrCreateSubscriber(trx, data.user_id);
  if (before.is_deleted || data.version <= before.subscription_version) return;
  const since = data.entitled_since === null ? null : new Date(data.entitled_since);
  const after = await updateSubscriber(trx, data.user_id, {
    subscription_version: data.version,
    entitled: data.entitled,
    entitled_until: data.entitled_until === null ? null : new Date(data.entitled_until),
    entitled_since: since ?? (data.entitled ? (before.entitled_since ?? deps.clock.now()) : null),
    ...withoutPlan(before, data.entitled),
  });
  await replan(trx, before, after, deps.clock.now(), deps.spreadMs);
};

/** A row that isn't planned can't have a next text. */
function withoutPlan(before: Subscriber, plannable: boolean): Partial<Subscriber> {
  return plannable || before.next_due_at === null
    ? {}
    : { next_local_date: null, next_due_at: null };
}

/** Stores STOP and START; the later one wins if they arrive out of order. */
export const optedOut = (trx: Trx, data: { user_id: string; at: string }) =>
  setOptedOut(trx, data, true);
export const optedIn = (trx: Trx, data: { user_id: string; at: string }) =>
  setOptedOut(trx, data, false);
/** STOP applies to a number, so a changed number brings its own opt-out state. */
export const numberChanged = (
  trx: Trx,
  data: { user_id: string; at: string; opted_out: boolean },
) => setOptedOut(trx, data, data.opted_out);

async function setOptedOut(
  trx: Trx,
  data: { user_id: string; at: string },
  opted_out: boolean,
): Promise<void> {
  const before = await lockOrCreateSubscriber(trx, data.user_id);
  const at = new Date(data.at);
  if (before.is_deleted) return;
  if (before.opted_at !== null && at < before.opted_at) return;
  await updateSubscriber(trx, data.user_id, { opted_out, opted_at: at });
}

/** Erases a subscriber. The id stays, so no late event restores them. */
export async function userDeleted(trx: Trx, data: { user_id: string }): Promise<void> {
  await lockOrCreateSubscriber(trx, data.user_id);
  await updateSubscriber(trx, data.user_id, {
    is_deleted: true,
    timezone: null,
    delivery_hour: null,
    frequency: null,
    weekday: null,
    is_active: false,
    delivery_enabled: false,
    paused_until: null,
    consent: 'revoked',
    entitled: false,
    entitled_until: null,
    entitled_since: null,
    opted_out: false,
    opted_at: null,
    first_local_date: null,
    next_local_date: null,
    next_due_at: null,
  });
  await cancelAllPlanned(trx, data.user_id);
  await eraseChoices(trx, data.user_id);
  await forgetTemplates(trx, data.user_id);
  await eraseFailedEvents(trx, data.user_id);
}
