import type { AdminUser, ListedAdminUser, Me } from '@daylift/contracts/accounts.http';
import type { AdminRole } from '@daylift/contracts/fields';
import { shownStatusOf } from '@daylift/contracts/shown-status';
import { emailAsSeenBy, phoneAsSeenBy, shortPhone } from '@daylift/server/mask-contact';
import { referralUrlOf } from './referral-code.ts';
import type { User } from './users.table.ts';

export const deliveryTimeOf = (user: Pick<User, 'delivery_hour'>): string =>
  `${String(user.delivery_hour).padStart(2, '0')}:00`;

export function meOf(user: User, publicUrl: string): Me {
  const code = user.referral_code;
  return {
    id: user.id,
    name: user.name,
    email: user.email ?? '',
    phone: user.phone ?? '',
    timezone: user.timezone,
    delivery_time: deliveryTimeOf(user),
    delivery_enabled: user.delivery_enabled,
    delivery_frequency: user.frequency,
    delivery_weekday: user.weekday,
    paused_until: user.paused_until,
    consent: user.consent,
    email_proven: user.email_proven_at !== null,
    phone_proven: user.phone_proven_at !== null,
    pending_email: user.pending_email,
    pending_phone: user.pending_phone,
    opted_out: user.opted_out,
    unreachable:
      user.unreachable === null || user.phone === null
        ? null
        : { reason: user.unreachable, number: shortPhone(user.phone) },
    referral_count: user.referral_count,
    referral_code: code,
    referral_url: code === null ? null : referralUrlOf(publicUrl, code),
    created_at: user.registered_at.toISOString(),
  };
}

export const seesContacts = (role: AdminRole): boolean => role !== 'viewer';

export const listedFields = [
  'id',
  'name',
  'email',
  'phone',
  'is_active',
  'delivery_enabled',
  'consent',
  'opted_out',
  'unreachable',
  'timezone',
  'delivery_hour',
  'frequency',
  'subscription_status',
  'entitled',
  'plan',
  'registered_at',
  'period_end',
  'renews',
] as const;
export type ListedUser = Pick<User, (typeof listedFields)[number]> & {
  last_message_sent: Date | null;
};

export function adminUserOf(user: ListedUser, role: AdminRole): AdminUser {
  return {
    id: user.id,
    name: user.name,
    email: emailAsSeenBy(role, user.email ?? ''),
    phone: phoneAsSeenBy(role, user.phone ?? ''),
    is_active: user.is_active,
    delivery_enabled: user.delivery_enabled,
    consent: user.consent,
    opted_out: user.opted_out,
    unreachable: user.unreachable,
    timezone: user.timezone,
    delivery_time: deliveryTimeOf(user),
    delivery_frequency: user.frequency,
    subscription_status: shownStatusOf(user.subscription_status, user.entitled),
    plan: user.plan,
    last_message_sent: user.last_message_sent?.toISOString() ?? null,
    created_at: user.registered_at.toISOString(),
  };
}

export const listedUserOf = (user: ListedUser, role: AdminRole): ListedAdminUser => ({
  ...adminUserOf(user, role),
  period_end: user.period_end?.toISOString() ?? null,
  renews: user.renews,
});
