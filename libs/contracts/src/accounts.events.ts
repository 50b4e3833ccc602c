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
  /** E.164 */
  phone: Type.String(),
  first_name: Type.String(),
});
export type Recipient = Static<typeof Recipient>;

export const accountsEvents = {
  'accounts.user.registered': SignupFacts,
  'accounts.settings.changed': DeliverySettings,
  'accounts.recipient.changed': Recipient,
  'accounts.user.deleted': Type.Object({ user_id: Id }),
  /**
   * Somebody asked for a code to set a new password. The code itself is nowhere: accounts and sms-gateway both derive it
   * from `request_id` with a key that they share.
   */
  'accounts.code.requested': Type.Object({ request_id: Id, user_id: Id, expires_at: Instant }),
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
