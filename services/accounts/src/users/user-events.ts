import {
  accountsEvents,
  type DeliverySettings,
  type Recipient,
} from '@daylift/contracts/accounts.events';
import type { SignupFacts } from '@daylift/contracts/accounts.http';
import { publish } from '@daylift/events/publish';
import { firstNameOf } from '@daylift/mail/first-name';
import { countryOf } from '@daylift/server/phone-number';
import type { Trx } from '../database.ts';
import { mailboxOf } from './email-address.ts';
import type { IdentityHash } from './identity-hash.ts';
import type { Actor } from './user-changes.table.ts';
import type { User } from './users.table.ts';

const settingsOf = (user: User): DeliverySettings => ({
  user_id: user.id,
  version: user.version,
  timezone: user.timezone,
  delivery_hour: user.delivery_hour,
  frequency: user.frequency,
  weekday: user.weekday,
  is_active: user.is_active,
  delivery_enabled: user.delivery_enabled,
  paused_until: user.paused_until,
  consent: user.consent,
  registered_at: user.registered_at.toISOString(),
});

/** `by` made the change. */
export const recipientOf = (user: User, by: Actor['by'] = 'system'): Recipient => ({
  ...settingsOf(user),
  phone: user.phone,
  phone_proven: user.phone_proven_at !== null,
  pending_phone: user.pending_phone,
  first_name: firstNameOf(user.name),
  reply_setting_at: user.reply_setting_at?.toISOString() ?? null,
  ...(by !== 'system' && { by_staff: by === 'admin' }),
});

/** Publishes a user's state; every new `version` goes through here. */
export async function publishUser(
  trx: Trx,
  user: User,
  now: Date,
  by: Actor['by'] = 'system',
): Promise<void> {
  await publish(trx, accountsEvents, 'accounts.settings.changed', settingsOf(user), now);
  await publish(trx, accountsEvents, 'accounts.recipient.changed', recipientOf(user, by), now);
}

export async function publishContact(
  trx: Trx,
  identityHash: IdentityHash,
  user: User,
  now: Date,
): Promise<void> {
  const contact = {
    user_id: user.id,
    version: user.version,
    name: user.name,
    email: user.email,
    email_proven: user.email_proven_at !== null,
    phone_proven: user.phone_proven_at !== null,
    email_hash: user.email === null ? null : identityHash(mailboxOf(user.email)),
    phone_hash: user.phone === null ? null : identityHash(user.phone),
    ...countryIn(user),
  };
  await publish(trx, accountsEvents, 'accounts.contact.changed', contact, now);
}

export function signupFactsOf(user: User, identityHash: IdentityHash): SignupFacts {
  return {
    user_id: user.id,
    email: user.email ?? '',
    name: user.name,
    plan: user.plan,
    email_hash: identityHash(mailboxOf(user.email ?? user.id)),
    phone_hash: identityHash(user.phone ?? user.id),
    ...countryIn(user),
    email_proven: user.email_proven_at !== null,
    referrer_user_id: user.referrer_user_id,
    timezone: user.timezone,
    registered_at: user.registered_at.toISOString(),
    ...(user.created_by !== null && { created_by: 'admin' as const }),
  };
}

const countryIn = ({ phone }: User) => (phone === null ? {} : { country: countryOf(phone) });
