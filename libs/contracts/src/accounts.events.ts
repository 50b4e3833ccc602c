import { type Static, Type } from 'typebox';
import { SignupFacts } from './accounts.http.ts';
import {
  Consent,
  Frequency,
  Id,
  Instant,
  LocalDate,
  Nullable,
  OneOf,
  TimeZone,
  Weekday,
} from './fields.ts';

/** Delivery settings as a whole. `version` grows with every change of the user; consumers keep the newest. */
export const DeliverySettings = Type.Object({
  user_id: Id,
  version: Type.Integer({ minimum: 1 }),
  timezone: TimeZone,
  delivery_hour: Type.Integer({ minimum: 0, maximum: 23 }),
  frequency: Frequency,
  weekday: Nullable(Weekday),
  is_active: Type.Boolean(),
  delivery_enabled: Type.Boolean(),
  paused_until: Nullable(LocalDate),
  consent: Consent,
  registered_at: Instant,
});
export type DeliverySettings = Static<typeof DeliverySettings>;

export const Recipient = Type.Object({
  ...DeliverySettings.properties,
  /** E.164. Null once someone else proves that they own a number this account only claimed. */
  phone: Nullable(Type.String()),
  /** Whether a YES reply or a code confirmed `phone`. Absent in older events. */
  phone_proven: Type.Optional(Type.Boolean()),
  /** A new number awaiting proof, in E.164. Texts go to `phone` until then. */
  pending_phone: Type.Optional(Nullable(Type.String())),
  first_name: Type.String(),
  /** When the person sent the newest PAUSE or RESUME that these settings include. */
  reply_setting_at: Type.Optional(Nullable(Instant)),
  /** Whether staff made this change, or the person did. Absent if neither did. */
  by_staff: Type.Optional(Type.Boolean()),
});
export type Recipient = Static<typeof Recipient>;

export const UserContact = Type.Object({
  user_id: Id,
  version: Type.Integer({ minimum: 1 }),
  name: Type.String(),
  /** Null once someone else proves that they own an address this account only claimed. */
  email: Nullable(Type.String()),
  email_proven: Type.Boolean(),
  phone_proven: Type.Boolean(),
  email_hash: Nullable(Type.String()),
  phone_hash: Nullable(Type.String()),
  /** Two-letter country code of the number. */
  country: Type.Optional(Type.String()),
});
export type UserContact = Static<typeof UserContact>;

export const accountsEvents = {
  'accounts.user.registered': SignupFacts,
  'accounts.settings.changed': DeliverySettings,
  'accounts.recipient.changed': Recipient,
  'accounts.contact.changed': UserContact,
  /** `expired`: the signup wasn't paid in time. A later payment is refunded. */
  'accounts.user.deleted': Type.Object({
    user_id: Id,
    expired: Type.Optional(Type.Literal(true)),
  }),
  /** Keeps the newest audit log entry and its hash (hex) outside of Postgres, to detect tampering. */
  'accounts.audit.anchored': Type.Object({
    entry: Type.Integer({ minimum: 1 }),
    hash: Type.String({ pattern: '^[0-9a-f]{64}$' }),
  }),
  /**
   * Requests a text with a code or a link. accounts and sms-gateway derive the secret from `request_id` with a shared
   * key, which keeps it out of the event.
   */
  'accounts.code.requested': Type.Object({
    request_id: Id,
    user_id: Id,
    expires_at: Instant,
    /**
     * `recover`: code to set a new password (default). `prove`: code for `pending_phone`, or else `phone`. `revert`:
     * link to `phone` that undoes a change.
     */
    purpose: Type.Optional(OneOf('recover', 'prove', 'revert')),
    /** The code allows a change of phone or email. Not a purpose, which sms-gateway's previous version would reject. */
    for_change: Type.Optional(Type.Literal(true)),
    /** For `revert`: what the link restores. Absent means `phone`. */
    field: Type.Optional(OneOf('email', 'phone')),
    /**
     * For `revert`: the version whose `phone` gets the link. Nothing is texted if it's absent or the number changed
     * later.
     */
    recipient_version: Type.Optional(Type.Integer({ minimum: 1 })),
  }),
  'accounts.answer.written': Type.Object({
    answer_id: Id,
    user_id: Id,
    content: Type.String(),
    closes_at: Instant,
    at: Instant,
  }),
  'accounts.consent.asked': Type.Object({
    request_id: Id,
    user_id: Id,
    asked_at: Instant,
    /** The version that needs a YES. Absent in events of the previous release. */
    recipient_version: Type.Optional(Type.Integer({ minimum: 1 })),
    /** The subscriber didn't ask, so the request waits for the end of quiet hours. */
    by_system: Type.Optional(Type.Boolean()),
  }),
};
