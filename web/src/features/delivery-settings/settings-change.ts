import type { Me, UpdateMeRequest } from '@daylift/contracts/accounts.http';
import type { NextTextPreviewRequest } from '@daylift/contracts/scheduler.http';
import { currentZoneName } from '@daylift/ui/time-zones';

/** Form values of the settings. */
export interface Settings {
  name: string;
  email: string;
  phone: string;
  /** Required to change the email or phone. */
  current_password: string;
  timezone: string;
  delivery_time: string;
  delivery_frequency: 'daily' | 'weekly';
  /** Select value; empty lets the server choose. */
  delivery_weekday: string;
}

export const settingsOf = (user: Me): Settings => ({
  name: user.name,
  email: user.pending_email ?? user.email,
  phone: user.pending_phone ?? user.phone,
  current_password: '',
  timezone: currentZoneName(user.timezone),
  delivery_time: user.delivery_time || '09:00',
  delivery_frequency: user.delivery_frequency || 'daily',
  delivery_weekday: user.delivery_weekday === null ? '' : String(user.delivery_weekday),
});

/**
 * Returns only the edited fields, so changes made elsewhere are kept. Frequency and weekday are sent together.
 */
export const changeOf = (before: Settings, after: Settings): UpdateMeRequest => {
  const change: UpdateMeRequest = {};
  if (after.name.trim() !== before.name) change.name = after.name.trim();
  if (after.email.trim() !== before.email) change.email = after.email.trim();
  if (after.phone.trim() !== before.phone) change.phone = after.phone.trim();
  if ((change.email ?? change.phone) !== undefined && after.current_password !== '')
    change.current_password = after.current_password;
  if (after.timezone !== before.timezone) change.timezone = after.timezone;
  if (after.delivery_time !== before.delivery_time) change.delivery_time = after.delivery_time;
  if (after.delivery_frequency !== before.delivery_frequency)
    change.delivery_frequency = after.delivery_frequency;
  const weekdayChosen =
    after.delivery_weekday !== '' &&
    (after.delivery_weekday !== before.delivery_weekday || before.delivery_frequency === 'daily');
  if (after.delivery_frequency === 'weekly' && weekdayChosen) {
    change.delivery_frequency = 'weekly';
    change.delivery_weekday = Number(after.delivery_weekday);
  }
  return change;
};

/** Returns which changed addresses are new. The one on file only withdraws a pending change, without a password. */
export const newAddresses = (
  { email, phone }: UpdateMeRequest,
  user: Pick<Me, 'email' | 'phone'>,
): { email: boolean; phone: boolean } => ({
  email: email !== undefined && email !== user.email,
  phone: phone !== undefined && phone !== user.phone,
});

export const hasNewAddress = (
  change: UpdateMeRequest,
  user: Parameters<typeof newAddresses>[1],
): boolean => Object.values(newAddresses(change, user)).includes(true);

/** Returns the part of a change that affects the next text. */
export const previewOf = ({
  timezone,
  delivery_time,
  delivery_frequency,
  delivery_weekday,
}: UpdateMeRequest): NextTextPreviewRequest => ({
  ...(timezone && { timezone }),
  ...(delivery_time && { delivery_time }),
  ...(delivery_frequency && { delivery_frequency }),
  ...(delivery_weekday !== undefined && { delivery_weekday }),
});
