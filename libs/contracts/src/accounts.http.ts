import { type Static, Type } from 'typebox';
import {
  AdminRole,
  Consent,
  Count,
  DeliveryTime,
  Email,
  Frequency,
  Id,
  Instant,
  LocalDate,
  Nullable,
  Password,
  PersonName,
  PhoneInput,
  PlanId,
  SubscriptionStatus,
  TimeZone,
  Weekday,
} from './fields.ts';

const strict = { additionalProperties: false };

/** POST /subscriptions */
export const SignupRequest = Type.Object(
  {
    name: PersonName,
    email: Email,
    phone: PhoneInput,
    password: Password,
    confirmPassword: Type.Optional(Type.String({ maxLength: 128 })),
    timezone: TimeZone,
    delivery_time: DeliveryTime,
    plan: Type.Optional(PlanId),
    delivery_frequency: Type.Optional(Frequency),
    /** The consent box, unticked by default; without it the number is asked by text to reply YES. */
    sms_consent: Type.Optional(Type.Boolean()),
    /** Referral code of the link that the visitor came by. */
    ref: Type.Optional(Type.String({ maxLength: 64 })),
  },
  strict,
);
export type SignupRequest = Static<typeof SignupRequest>;

/** The id opens the checkout of this signup and stays with the user afterwards. Never holds a password. */
export const SignupResponse = Type.Object({
  id: Id,
  name: Type.String(),
  email: Type.String(),
  phone: Type.String(),
  timezone: Type.String(),
  delivery_time: Type.String(),
  delivery_frequency: Frequency,
  plan: PlanId,
  sms_consent: Type.Boolean(),
});
export type SignupResponse = Static<typeof SignupResponse>;

/** POST /users/login; `login` is an e-mail address or a phone number. */
export const LoginRequest = Type.Object(
  {
    login: Type.String({ minLength: 1, maxLength: 254 }),
    password: Type.String({ minLength: 1, maxLength: 128 }),
  },
  strict,
);
export type LoginRequest = Static<typeof LoginRequest>;
export const LoginResponse = Type.Object({
  access_token: Type.String(),
  token_type: Type.Literal('bearer'),
});
export type LoginResponse = Static<typeof LoginResponse>;

/** GET and PUT /users/me */
export const Me = Type.Object({
  id: Id,
  name: Type.String(),
  email: Type.String(),
  phone: Type.String(),
  timezone: Type.String(),
  delivery_time: Type.String(),
  delivery_enabled: Type.Boolean(),
  delivery_frequency: Frequency,
  /** Only of weekly subscribers. */
  delivery_weekday: Nullable(Weekday),
  /** No texts before this local date. */
  paused_until: Nullable(LocalDate),
  consent: Consent,
  /** Stopped by a STOP reply; only START from the phone lifts it. */
  opted_out: Type.Boolean(),
  referral_count: Count,
  created_at: Instant,
});
export type Me = Static<typeof Me>;

export const UpdateMeRequest = Type.Object(
  {
    phone: Type.Optional(PhoneInput),
    timezone: Type.Optional(TimeZone),
    delivery_time: Type.Optional(DeliveryTime),
    delivery_enabled: Type.Optional(Type.Boolean()),
    delivery_frequency: Type.Optional(Frequency),
    delivery_weekday: Type.Optional(Weekday),
  },
  { ...strict, minProperties: 1 },
);
export type UpdateMeRequest = Static<typeof UpdateMeRequest>;

/** POST /admin/login */
export const AdminLoginRequest = Type.Object(
  {
    username: Type.String({ minLength: 1, maxLength: 100 }),
    password: Type.String({ minLength: 1, maxLength: 128 }),
  },
  strict,
);
export type AdminLoginRequest = Static<typeof AdminLoginRequest>;
export const AdminLoginResponse = Type.Object({
  token: Type.String(),
  username: Type.String(),
  role: AdminRole,
});
export type AdminLoginResponse = Static<typeof AdminLoginResponse>;

/** A row of GET /admin/users; newest first, paged, total in `x-total-count`. */
export const AdminUser = Type.Object({
  id: Id,
  name: Type.String(),
  email: Type.String(),
  phone: Type.String(),
  is_active: Type.Boolean(),
  delivery_enabled: Type.Boolean(),
  consent: Consent,
  opted_out: Type.Boolean(),
  timezone: Type.String(),
  delivery_time: Type.String(),
  delivery_frequency: Frequency,
  subscription_status: SubscriptionStatus,
  plan: PlanId,
  last_message_sent: Nullable(Instant),
  created_at: Instant,
});
export type AdminUser = Static<typeof AdminUser>;
export const AdminUserList = Type.Array(AdminUser);

/** accounts' part of GET /admin/analytics */
export const UserFigures = Type.Object({ total: Count, active: Count });
export type UserFigures = Static<typeof UserFigures>;

/** GET /internal/signups/:id, for billing when the checkout comes before the event does. */
export const SignupFacts = Type.Object({
  user_id: Id,
  email: Type.String(),
  name: Type.String(),
  plan: PlanId,
  email_hash: Type.String(),
  phone_hash: Type.String(),
  referrer_user_id: Nullable(Id),
  timezone: Type.String(),
  registered_at: Instant,
});
export type SignupFacts = Static<typeof SignupFacts>;

/** GET /internal/sessions, for the gateway: whether a token of this person and version still counts. */
export const SessionQuery = Type.Object({
  kind: Type.Union([Type.Literal('user'), Type.Literal('admin')]),
  subject: Id,
  version: Type.Integer({ minimum: 0 }),
});
export type SessionQuery = Static<typeof SessionQuery>;
export const SessionState = Type.Object({
  valid: Type.Boolean(),
  /** Of admins only, as they are now. */
  role: Nullable(AdminRole),
  username: Nullable(Type.String()),
});
export type SessionState = Static<typeof SessionState>;
