import type { Consent, Frequency, PlanId, SubscriptionStatus } from '@daylift/contracts/fields';
import type { Generated, GeneratedAlways, Insertable, Selectable, Updateable } from 'kysely';

export interface UsersTable {
  id: string;
  version: Generated<number>;
  session_version: Generated<number>;
  name: string;
  email: string;
  phone: string;
  phone_since_version: Generated<number>;
  password_hash: string;
  timezone: string;
  delivery_hour: number;
  frequency: Frequency;
  weekday: number | null;
  is_active: Generated<boolean>;
  delivery_enabled: Generated<boolean>;
  paused_until: string | null;
  consent: Consent;
  reply_setting_at: Date | null;
  referral_code: string | null;
  referrer_user_id: string | null;
  referral_count: Generated<number>;
  referrals_version: Generated<number>;
  opted_out: Generated<boolean>;
  opted_out_at: Date | null;
  plan: PlanId;
  subscription_status: Generated<SubscriptionStatus>;
  subscription_version: Generated<number>;
  last_message_sent: Date | null;
  registered_at: Date;
  /** From when on `user_changes` tells of every change. */
  history_since: Generated<Date>;
  /** Until then the password that staff were shown holds; null for a password of one's own. */
  password_expires_at: Date | null;
  /** The admin who made the account. */
  created_by: string | null;
  request_key: string | null;
  /** Words and states that the operators' list looks for; the database writes it. */
  search: GeneratedAlways<string>;
}
export type User = Selectable<UsersTable>;
export type NewUser = Insertable<UsersTable>;
export type UserChange = Updateable<UsersTable>;

export interface PhoneChangesTable {
  user_id: string;
  changed_at: Date;
}

export interface LimitedCallsTable {
  user_id: string;
  call: 'consent-request' | 'letter' | 'export';
  called_at: Date;
}
