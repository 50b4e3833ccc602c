import { type Static, Type } from 'typebox';
import { SignupFacts } from './accounts.http.ts';
import {
  Consent,
  Frequency,
  Id,
  Instant,
  LocalDate,
  Nullable,
  TimeZone,
  Weekday,
} from './fields.ts';

/**
 * What decides when and whether somebody gets a text, as a whole and with a version: a consumer keeps the
 * newest. `version` grows with every change of the user.
 */
export const DeliverySettings = Type.Object({
  user_id: Id,
  version: Type.Integer({ minimum: 1 }),
  timezone: TimeZone,
  /** 0 to 23 on the subscriber's own clock. */
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

/** The same for the one service that hands texts to the provider: with the number and the name to greet. */
export const Recipient = Type.Object({
  ...DeliverySettings.properties,
  /** E.164; null once someone else has proven the number that this account only claimed. */
  phone: Nullable(Type.String()),
  /** Whether a YES or a code came back from `phone`. Absent in events from before proofs were recorded. */
  phone_proven: Type.Optional(Type.Boolean()),
  /** E.164: a new number that waits for its proof. Texts keep going to `phone` until then. */
  pending_phone: Type.Optional(Nullable(Type.String())),
  first_name: Type.String(),
});
export type Recipient = Static<typeof Recipient>;

/** How a subscriber can be reached, as a whole and with the user's `version`: a consumer keeps the newest. */
export const UserContact = Type.Object({
  user_id: Id,
  version: Type.Integer({ minimum: 1 }),
  name: Type.String(),
  /** Null once someone else has proven the address that this account only claimed. */
  email: Nullable(Type.String()),
  email_proven: Type.Boolean(),
  phone_proven: Type.Boolean(),
  /** Keyed hashes, as in `SignupFacts`; null where the address is null. */
  email_hash: Nullable(Type.String()),
  phone_hash: Nullable(Type.String()),
});
export type UserContact = Static<typeof UserContact>;

export const accountsEvents = {
  'accounts.user.registered': SignupFacts,
  'accounts.settings.changed': DeliverySettings,
  'accounts.recipient.changed': Recipient,
  /** The name, the email, the phone or a proof of either changed. */
  'accounts.contact.changed': UserContact,
  /** `expired`: an unpaid signup whose time was up. What is paid for it all the same goes back. */
  'accounts.user.deleted': Type.Object({
    user_id: Id,
    expired: Type.Optional(Type.Literal(true)),
  }),
  /** The newest entry of the audit log and its hash in hex, kept in the stream, out of reach of Postgres. */
  'accounts.audit.anchored': Type.Object({
    entry: Type.Integer({ minimum: 1 }),
    hash: Type.String({ pattern: '^[0-9a-f]{64}$' }),
  }),
  /**
   * A code, or a link, is to be texted. Neither is in the event: accounts and sms-gateway both derive it from `request_id`
   * with a key that they share.
   */
  'accounts.code.requested': Type.Object({
    request_id: Id,
    user_id: Id,
    expires_at: Instant,
    /**
     * `recover`: a code to set a new password. `prove`: a code to prove `pending_phone`, or else `phone`. `revert`: a link
     * to `phone` that undoes the change of it. Absent means `recover`.
     */
    purpose: Type.Optional(
      Type.Union([Type.Literal('recover'), Type.Literal('prove'), Type.Literal('revert')]),
    ),
    /** Of `revert`: the version whose `phone` gets the link. Without it, or if the number changed later, nothing is texted. */
    recipient_version: Type.Optional(Type.Integer({ minimum: 1 })),
  }),
  /** An admin answers a subscriber by text. Goes with the subscriber, like every fact with a `user_id`. */
  'accounts.answer.written': Type.Object({
    answer_id: Id,
    user_id: Id,
    content: Type.String(),
    /** When it is of no use any more, or would come at night. */
    closes_at: Instant,
    at: Instant,
  }),
  /** Asks the person's number once more to reply YES. */
  'accounts.consent.asked': Type.Object({ request_id: Id, user_id: Id, asked_at: Instant }),
};
