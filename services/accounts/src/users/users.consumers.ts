import type { SubscriptionState } from '@daylift/contracts/billing.events';
import type { smsEvents } from '@daylift/contracts/sms.events';
import type { Static } from 'typebox';
import type { Trx } from '../database.ts';
import type { AccountsDeps } from '../deps.ts';
import { lockAddress } from './address-calls.repository.ts';
import { hasChangedSince, recordUserChange } from './user-changes.repository.ts';
import type { Actor } from './user-changes.table.ts';
import { publishUser } from './user-events.ts';
import { changeUser, hasSubscribed, isOver, replyChange } from './users.actions.ts';
import { findUser, hasOtherSubscriber, lockUser, updateUser } from './users.repository.ts';
import type { User } from './users.table.ts';

type SmsEvent<K extends keyof typeof smsEvents> = Static<(typeof smsEvents)[K]>;

const repliedAt = {
  pause: 'reply_setting_at',
  resume: 'reply_setting_at',
  hour: 'hour_reply_at',
  frequency: 'frequency_reply_at',
} as const;
const fieldOf = {
  pause: 'paused_until',
  resume: 'paused_until',
  hour: 'delivery_hour',
  frequency: 'frequency',
} as const;

/**
 * Applies a setting that a reply such as "7AM" asked for. The newest request for a setting counts, by reply or on the
 * pages, however late the reply's event is.
 */
export async function applyReplySetting(
  trx: Trx,
  requested: SmsEvent<'sms.setting.requested'>,
  { clock }: Pick<AccountsDeps, 'clock'>,
): Promise<void> {
  const at = new Date(requested.at);
  const user = await lockUser(trx, requested.user_id);
  const newest = repliedAt[requested.change.command];
  if (user === undefined || (user[newest] ?? at) > at) return;
  const known = await updateUser(trx, user.id, { [newest]: at });
  const now = clock.now();
  if (await hasChangedSince(trx, user.id, fieldOf[requested.change.command], at)) {
    // sms-gateway applied a pause at once, and takes it back with a version that knows of the reply.
    const kept = await updateUser(trx, user.id, { version: known.version + 1 });
    return publishUser(trx, kept, now);
  }
  await changeUser(trx, known, replyChange(user, requested.change, at), now, { by: 'reply' });
}

/**
 * Stores a subscription's state. A first subscription with an unproven number that another subscriber has waits for its
 * proof: the other account's settings rule the number's texts, and its holder must see that.
 */
export async function storeSubscription(
  trx: Trx,
  state: SubscriptionState,
  { clock }: Pick<AccountsDeps, 'clock'>,
): Promise<void> {
  const phone = (await findUser(trx, state.user_id))?.phone ?? null;
  if (phone !== null) await lockAddress(trx, phone);
  const user = await lockUser(trx, state.user_id);
  if (user === undefined || user.subscription_version >= state.version) return;
  const stored = await updateUser(trx, user.id, {
    subscription_status: state.status,
    plan: state.plan,
    subscription_version: state.version,
    entitled: state.entitled,
    ...periodOf(state),
    period_version: state.version,
  });
  if (hasSubscribed(user) || user.consent !== 'granted' || user.phone_proven_at !== null) return;
  if (phone === null || user.phone !== phone) return;
  if (await hasOtherSubscriber(trx, phone, user.id))
    await changeUser(trx, stored, { consent: 'pending' }, clock.now(), { by: 'system' });
}

function periodOf(state: SubscriptionState): Pick<User, 'period_end' | 'renews'> {
  const ended = isOver(state.status);
  if (ended || state.current_period_end === null) return { period_end: null, renews: false };
  return { period_end: new Date(state.current_period_end), renews: !state.cancel_at_period_end };
}

/** The newest of STOP and START counts, in any order of arrival. */
export async function setOptedOut(
  trx: Trx,
  fact: { user_id: string; at: string },
  opted_out: boolean,
  actor: Actor,
): Promise<void> {
  const at = new Date(fact.at);
  const user = await lockUser(trx, fact.user_id);
  if (user === undefined || (user.opted_out_at !== null && user.opted_out_at > at)) return;
  await updateUser(trx, user.id, { opted_out, opted_out_at: at });
  await recordUserChange(trx, user, { opted_out }, { actor, at });
}
