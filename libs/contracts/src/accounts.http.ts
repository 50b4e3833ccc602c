import { type Static, Type } from 'typebox';
import { SecondStepCode } from './admins.http.ts';
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
  /** The password is one that staff were shown: until another is chosen, the token is good for that alone. */
  must_change_password: Type.Boolean(),
});
export type LoginResponse = Static<typeof LoginResponse>;

const OneTimeCode = Type.String({ minLength: 1, maxLength: 16 });

/** GET and PUT /users/me. An email or a phone that someone else has proven is empty. */
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
  /** Whether a link or a code that was sent there came back. */
  email_proven: Type.Boolean(),
  phone_proven: Type.Boolean(),
  /** Changes that wait for their proof. */
  pending_email: Nullable(Type.String()),
  pending_phone: Nullable(Type.String()),
  /** Stopped by a STOP reply; only START from the phone lifts it. */
  opted_out: Type.Boolean(),
  /** Friends whose first payment brought a credit. */
  referral_count: Count,
  /** Null until POST /users/me/generate-referral. */
  referral_code: Nullable(Type.String()),
  referral_url: Nullable(Type.String()),
  created_at: Instant,
});
export type Me = Static<typeof Me>;

/**
 * A new phone or email needs `current_password`, or a `code` of POST /users/me/contact-code, and waits until it is proven.
 */
export const UpdateMeRequest = Type.Object(
  {
    phone: Type.Optional(PhoneInput),
    email: Type.Optional(Email),
    current_password: Type.Optional(Type.String({ minLength: 1, maxLength: 128 })),
    code: Type.Optional(OneTimeCode),
    timezone: Type.Optional(TimeZone),
    delivery_time: Type.Optional(DeliveryTime),
    delivery_enabled: Type.Optional(Type.Boolean()),
    delivery_frequency: Type.Optional(Frequency),
    delivery_weekday: Type.Optional(Weekday),
    /** No texts before this local date; null ends a pause. */
    paused_until: Type.Optional(Nullable(LocalDate)),
  },
  { ...strict, minProperties: 1 },
);
export type UpdateMeRequest = Static<typeof UpdateMeRequest>;

/** A sentence that a page may show as it is. */
export const Done = Type.Object({ detail: Type.String() });
export type Done = Static<typeof Done>;

/**
 * POST /users/set-password. Without `code`: 202, the same for everybody, and a code goes to the number on file. With
 * `code`: 200 once the password is set.
 */
export const SetPasswordRequest = Type.Object(
  {
    email_or_phone: Type.String({ minLength: 1, maxLength: 254 }),
    password: Password,
    code: Type.Optional(OneTimeCode),
  },
  strict,
);
export type SetPasswordRequest = Static<typeof SetPasswordRequest>;

/**
 * POST /users/confirm-email: what the link of a mail is opened for; `decline` ends the account's claim on the address.
 * `password` is needed while another account claims the same address.
 */
export const ConfirmEmailRequest = Type.Object(
  {
    token: Type.String({ minLength: 1, maxLength: 100 }),
    decline: Type.Optional(Type.Boolean()),
    password: Type.Optional(Type.String({ minLength: 1, maxLength: 128 })),
  },
  strict,
);
export type ConfirmEmailRequest = Static<typeof ConfirmEmailRequest>;

/** POST /users/me/confirm-phone: without `code` one is texted to the number that waits for its proof. */
export const ConfirmPhoneRequest = Type.Object({ code: Type.Optional(OneTimeCode) }, strict);
export type ConfirmPhoneRequest = Static<typeof ConfirmPhoneRequest>;

/** POST /users/revert-change: the link that the old address got when a new one was asked for. */
export const RevertChangeRequest = Type.Object(
  { token: Type.String({ minLength: 1, maxLength: 100 }) },
  strict,
);
export type RevertChangeRequest = Static<typeof RevertChangeRequest>;

/** POST /users/me/change-password, as the body (preferred) or as the query. Ends all other sessions. */
export const ChangePasswordRequest = Type.Object(
  {
    old_password: Type.String({ minLength: 1, maxLength: 128 }),
    new_password: Password,
  },
  strict,
);
export type ChangePasswordRequest = Static<typeof ChangePasswordRequest>;
/** The token that goes on where the earlier one ended. */
export const ChangePasswordResponse = Type.Object({
  detail: Type.String(),
  access_token: Type.String(),
  token_type: Type.Literal('bearer'),
});
export type ChangePasswordResponse = Static<typeof ChangePasswordResponse>;

/** POST /users/me/toggle-delivery?enable=true */
export const ToggleDeliveryQuery = Type.Object({ enable: Type.Boolean() }, strict);
export type ToggleDeliveryQuery = Static<typeof ToggleDeliveryQuery>;
export const ToggleDeliveryResponse = Type.Object({ delivery_enabled: Type.Boolean() });
export type ToggleDeliveryResponse = Static<typeof ToggleDeliveryResponse>;

/** POST /users/me/generate-referral; the same code however often it is asked for. */
export const ReferralLink = Type.Object({
  referral_code: Type.String(),
  referral_url: Type.String(),
});
export type ReferralLink = Static<typeof ReferralLink>;

const Subject = Type.String({ minLength: 1, maxLength: 150, pattern: '\\S' });
const Letter = Type.String({ minLength: 1, maxLength: 4_000, pattern: '\\S' });

/** POST /support/contact, as the body (preferred) or as the query. */
export const SupportRequest = Type.Object({ subject: Subject, message: Letter }, strict);
export type SupportRequest = Static<typeof SupportRequest>;

/** POST /contact, by anybody. */
export const ContactRequest = Type.Object(
  { name: PersonName, email: Email, subject: Subject, message: Letter },
  strict,
);
export type ContactRequest = Static<typeof ContactRequest>;

/** POST /users/me/delete */
export const DeleteAccountRequest = Type.Object(
  { password: Type.String({ minLength: 1, maxLength: 128 }) },
  strict,
);
export type DeleteAccountRequest = Static<typeof DeleteAccountRequest>;

/** One service's part of a person's data: what it keeps under which name. */
export const ExportPart = Type.Record(Type.String(), Type.Unknown());
export type ExportPart = Static<typeof ExportPart>;
/** GET /users/me/export: all that is kept of the person who asks; the parts are those of GET /internal/export/:id. */
export const UserExport = Type.Object({
  exported_at: Instant,
  account: ExportPart,
  billing: ExportPart,
  schedule: ExportPart,
  texts: ExportPart,
});
export type UserExport = Static<typeof UserExport>;

/** POST /admin/login */
export const AdminLoginRequest = Type.Object(
  {
    username: Type.String({ minLength: 1, maxLength: 100 }),
    password: Type.String({ minLength: 1, maxLength: 128 }),
    /** Of whoever has a second step; asked for by TOTP_REQUIRED once the password is right. */
    code: Type.Optional(SecondStepCode),
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
  /** Absent in events from before proofs were recorded. */
  email_proven: Type.Optional(Type.Boolean()),
  referrer_user_id: Nullable(Id),
  timezone: Type.String(),
  registered_at: Instant,
  /** Who made the account; whoever is not named signed up by themselves. */
  created_by: Type.Optional(Type.Literal('admin')),
});
export type SignupFacts = Static<typeof SignupFacts>;

/** GET /internal/sessions, for the gateway: whether a token of this person and version still counts. */
export const SessionQuery = Type.Object({
  kind: Type.Union([Type.Literal('user'), Type.Literal('admin')]),
  subject: Id,
  version: Type.Integer({ minimum: 0 }),
  /** The token's own id; a sign-out ends this one alone. */
  token_id: Id,
});
export type SessionQuery = Static<typeof SessionQuery>;
export const SessionState = Type.Object({
  valid: Type.Boolean(),
  /** Of admins only, as they are now. */
  role: Nullable(AdminRole),
  username: Nullable(Type.String()),
  /** An admin who must set up a second step before anything else. */
  totp_missing: Type.Boolean(),
  /** True of a subscriber who has to choose a password first. */
  must_change_password: Type.Optional(Type.Boolean()),
});
export type SessionState = Static<typeof SessionState>;
