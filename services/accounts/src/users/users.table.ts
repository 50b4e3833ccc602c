import type { Consent, Frequency, PlanId, SubscriptionStatus } from '@daylift/contracts/fields';
import type { Generated, GeneratedAlways, Insertable, Selectable, Updateable } from 'kysely';

export interface UsersTable {
  id: string;
  version: Generated<number>;
  session_version: Generated<number>;
  name: string;
  /** Null once someone else has proven it. */
  email: string | null;
  email_proven_at: Date | null;
  email_proof: 'link' | 'session' | 'migrated' | null;
  phone: string | null;
  phone_proven_at: Date | null;
  phone_proof: 'reply' | 'session' | 'recovery' | 'migrated' | null;
  /** Changes that wait for their proof. */
  pending_email: string | null;
  pending_phone: string | null;
  /** When a signup is erased that was neither paid nor proven. */
  expires_at: Date | null;
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

export interface ContactLinksTable {
  id: string;
  user_id: string;
  purpose: 'confirm' | 'revert';
  token_hash: Buffer;
  field: 'email' | 'phone';
  /** The email that a confirmation proves, or the value that a reversal restores. */
  value: string;
  in_session: boolean;
  /** The proof that a restored value had. */
  proof: string | null;
  /** Whether it belongs to the newest change that was requested of its field. */
  is_latest: Generated<boolean>;
  channel: 'mail' | 'text';
  created_at: Date;
  expires_at: Date;
}
export type ContactLink = Selectable<ContactLinksTable>;

export interface AddressCallsTable {
  address_hash: string;
  /** The account that asked; null before that was kept. */
  caller_hash: string | null;
  /** The client that asked; null for staff, for codes, and before that was kept. */
  client_hash: string | null;
  call: 'confirmation' | 'code';
  called_at: Date;
}

export interface LimitedCallsTable {
  user_id: string;
  call: 'consent-request' | 'letter' | 'export' | 'email-change';
  called_at: Date;
}
