import type { Me, UpdateMeRequest } from '@daylift/contracts/accounts.http';
import type { NextTextPreviewRequest } from '@daylift/contracts/scheduler.http';

/** The settings as the form's fields hold them. */
export interface Settings {
  email: string;
  phone: string;
  /** Asked for with a new email or phone. */
  current_password: string;
  timezone: string;
  delivery_time: string;
  delivery_frequency: 'daily' | 'weekly';
  /** A select gives text; empty leaves the day to the service. */
  delivery_weekday: string;
}

export const settingsOf = (user: Me): Settings => ({
  email: user.pending_email ?? user.email,
  phone: user.pending_phone ?? user.phone,
  current_password: '',
  timezone: user.timezone,
  delivery_time: user.delivery_time || '09:00',
  delivery_frequency: user.delivery_frequency || 'daily',
  delivery_weekday: user.delivery_weekday === null ? '' : String(user.delivery_weekday),
});

/**
 * Only what was touched: what another tab or a reply changed meanwhile stays as it is there. Whoever chooses a weekday
 * means weekly texts, so that the two go together.
 */
export const changeOf = (before: Settings, after: Settings): UpdateMeRequest => {
  const change: UpdateMeRequest = {};
  if (after.email.trim() !== before.email) change.email = after.email.trim();
  if (after.phone.trim() !== before.phone) change.phone = after.phone.trim();
  if (asksForPassword(change) && after.current_password !== '')
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

export const asksForPassword = ({ email, phone }: UpdateMeRequest): boolean =>
  email !== undefined || phone !== undefined;

/** The part of a change that can move the next text; a select in between choices moves nothing. */
export const previewOf = ({
  email: _email,
  phone: _phone,
  current_password: _password,
  ...change
}: UpdateMeRequest): NextTextPreviewRequest =>
  Object.fromEntries(Object.entries(change).filter(([, value]) => value !== ''));
