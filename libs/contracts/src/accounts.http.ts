import { type Static, Type } from 'typebox';
import { TotpCode } from './admins.http.ts';
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
  OneOf,
  Password,
  PersonName,
  PhoneInput,
  PlanId,
  ShownStatus,
  StrictObject,
  TimeZone,
  UnreachableReason,
  Weekday,
} from './fields.ts';

export const SignupRequest = StrictObject({
  name: PersonName,
  email: Email,
  phone: PhoneInput,
  password: Password,
  confirmPassword: Type.Optional(Type.String({ maxLength: 128 })),
  timezone: TimeZone,
  delivery_time: DeliveryTime,
  plan: Type.Optional(PlanId),
  delivery_frequency: Type.Optional(Frequency),
  /** Unticked by default. Without it, a text asks for a YES reply. */
  sms_consent: Type.Optional(Type.Boolean()),
  ref: Type.Optional(Type.String({ maxLength: 64 })),
});
export type SignupRequest = Static<typeof SignupRequest>;

/** The id opens this signup's checkout and becomes the user id. */
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

export const LoginRequest = StrictObject({
  login: Type.String({ minLength: 1, maxLength: 254 }),
  password: Type.String({ minLength: 1, maxLength: 128 }),
});
export type LoginRequest = Static<typeof LoginRequest>;
export const LoginResponse = Type.Object({
  access_token: Type.String(),
  token_type: Type.Literal('bearer'),
  /** The password was set by an admin: the token only allows choosing a new one. */
  must_change_password: Type.Boolean(),
});
export type LoginResponse = Static<typeof LoginResponse>;

const OneTimeCode = Type.String({ minLength: 1, maxLength: 16 });

/** `email` or `phone` is empty once someone else has proven it. */
export const Me = Type.Object({
  id: Id,
  name: Type.String(),
  email: Type.String(),
  phone: Type.String(),
  timezone: Type.String(),
  delivery_time: Type.String(),
  delivery_enabled: Type.Boolean(),
  delivery_frequency: Frequency,
  delivery_weekday: Nullable(Weekday),
  paused_until: Nullable(LocalDate),
  consent: Consent,
  email_proven: Type.Boolean(),
  phone_proven: Type.Boolean(),
  pending_email: Nullable(Type.String()),
  pending_phone: Nullable(Type.String()),
  /** By a STOP reply; only a START reply resets it. */
  opted_out: Type.Boolean(),
  /** Set while texts wait because they don't reach the number; with the number, shortened. */
  unreachable: Nullable(Type.Object({ reason: UnreachableReason, number: Type.String() })),
  referral_count: Count,
  referral_code: Nullable(Type.String()),
  referral_url: Nullable(Type.String()),
  created_at: Instant,
});
export type Me = Static<typeof Me>;

/**
 * A new phone or email needs `current_password` or a `code` from POST /users/me/contact-code, and takes effect once
 * proven.
 */
export const UpdateMeRequest = StrictObject(
  {
    name: Type.Optional(PersonName),
    phone: Type.Optional(PhoneInput),
    email: Type.Optional(Email),
    current_password: Type.Optional(Type.String({ minLength: 1, maxLength: 128 })),
    code: Type.Optional(OneTimeCode),
    timezone: Type.Optional(TimeZone),
    delivery_time: Type.Optional(DeliveryTime),
    delivery_enabled: Type.Optional(Type.Boolean()),
    delivery_frequency: Type.Optional(Frequency),
    delivery_weekday: Type.Optional(Weekday),
    /** No texts before this local date; null ends the pause. */
    paused_until: Type.Optional(Nullable(LocalDate)),
  },
  { minProperties: 1 },
);
export type UpdateMeRequest = Static<typeof UpdateMeRequest>;

export const Done = Type.Object({ detail: Type.String() });

/**
 * Without `code`: responds 202 for everyone and texts a code to the number on file. With `code`: responds 200 once the
 * password is set.
 */
export const SetPasswordRequest = StrictObject({
  email_or_phone: Type.String({ minLength: 1, maxLength: 254 }),
  password: Password,
  code: Type.Optional(OneTimeCode),
});
export type SetPasswordRequest = Static<typeof SetPasswordRequest>;

/** `decline` removes the address from the account. `password` is required while another account claims the address. */
export const ConfirmEmailRequest = StrictObject({
  token: Type.String({ minLength: 1, maxLength: 100 }),
  decline: Type.Optional(Type.Boolean()),
  password: Type.Optional(Type.String({ minLength: 1, maxLength: 128 })),
});
export type ConfirmEmailRequest = Static<typeof ConfirmEmailRequest>;

export const ConfirmPhoneRequest = StrictObject({ code: Type.Optional(OneTimeCode) });

/** The old address gets the `token` in an email about the change. */
export const RevertChangeRequest = StrictObject({
  token: Type.String({ minLength: 1, maxLength: 100 }),
});

export const ChangePasswordRequest = StrictObject({
  old_password: Type.String({ minLength: 1, maxLength: 128 }),
  new_password: Password,
});
export type ChangePasswordRequest = Static<typeof ChangePasswordRequest>;
export const ChangePasswordResponse = Type.Object({
  detail: Type.String(),
  access_token: Type.String(),
  token_type: Type.Literal('bearer'),
});
export type ChangePasswordResponse = Static<typeof ChangePasswordResponse>;

export const ToggleDeliveryQuery = StrictObject({ enable: Type.Boolean() });
export const ToggleDeliveryResponse = Type.Object({ delivery_enabled: Type.Boolean() });

export const ReferralLink = Type.Object({
  referral_code: Type.String(),
  referral_url: Type.String(),
});
export type ReferralLink = Static<typeof ReferralLink>;

export const ReferralCodeQuery = Type.Object({
  code: Type.String({ minLength: 1, maxLength: 64 }),
});
export const ReferralCodeState = Type.Object({ known: Type.Boolean() });

const Subject = Type.String({ minLength: 1, maxLength: 150, pattern: '\\S' });
const MessageBody = Type.String({ minLength: 1, maxLength: 4_000, pattern: '\\S' });

export const SupportRequest = StrictObject({ subject: Subject, message: MessageBody });
export type SupportRequest = Static<typeof SupportRequest>;

export const ContactRequest = StrictObject({
  name: PersonName,
  email: Email,
  subject: Subject,
  message: MessageBody,
});
export type ContactRequest = Static<typeof ContactRequest>;

export const DeleteAccountRequest = StrictObject({
  password: Type.String({ minLength: 1, maxLength: 128 }),
});

export const ExportPart = Type.Record(Type.String(), Type.Unknown());
export type ExportPart = Static<typeof ExportPart>;
export const UserExport = Type.Object({
  exported_at: Instant,
  account: ExportPart,
  billing: ExportPart,
  schedule: ExportPart,
  texts: ExportPart,
});
export type UserExport = Static<typeof UserExport>;

export const AdminLoginRequest = StrictObject({
  username: Type.String({ minLength: 1, maxLength: 100 }),
  password: Type.String({ minLength: 1, maxLength: 128 }),
  /** Required after TOTP_REQUIRED. */
  code: Type.Optional(TotpCode),
});
export type AdminLoginRequest = Static<typeof AdminLoginRequest>;
export const AdminLoginResponse = Type.Object({
  token: Type.String(),
  username: Type.String(),
  role: AdminRole,
});
export type AdminLoginResponse = Static<typeof AdminLoginResponse>;

export const AdminUser = Type.Object({
  id: Id,
  name: Type.String(),
  email: Type.String(),
  phone: Type.String(),
  is_active: Type.Boolean(),
  delivery_enabled: Type.Boolean(),
  consent: Consent,
  opted_out: Type.Boolean(),
  unreachable: Nullable(UnreachableReason),
  timezone: Type.String(),
  delivery_time: Type.String(),
  delivery_frequency: Frequency,
  subscription_status: ShownStatus,
  plan: PlanId,
  last_message_sent: Nullable(Instant),
  created_at: Instant,
});
export type AdminUser = Static<typeof AdminUser>;
/** The end of the paid or trial period, and whether the plan renews then. */
export const ListedAdminUser = Type.Object({
  ...AdminUser.properties,
  period_end: Nullable(Instant),
  renews: Type.Boolean(),
});
export type ListedAdminUser = Static<typeof ListedAdminUser>;
export const AdminUserList = Type.Array(ListedAdminUser);

export const UserFigures = Type.Object({ total: Count, active: Count });
export type UserFigures = Static<typeof UserFigures>;

export const SignupFacts = Type.Object({
  user_id: Id,
  email: Type.String(),
  name: Type.String(),
  plan: PlanId,
  email_hash: Type.String(),
  phone_hash: Type.String(),
  /** Two-letter country code of the number. */
  country: Type.Optional(Type.String()),
  email_proven: Type.Optional(Type.Boolean()),
  referrer_user_id: Nullable(Id),
  timezone: Type.String(),
  registered_at: Instant,
  /** Absent: the user signed up. */
  created_by: Type.Optional(Type.Literal('admin')),
});
export type SignupFacts = Static<typeof SignupFacts>;

export const SessionQuery = Type.Object({
  kind: OneOf('user', 'admin'),
  subject: Id,
  version: Type.Integer({ minimum: 0 }),
  /** A sign-out revokes only this token. */
  token_id: Id,
});
export type SessionQuery = Static<typeof SessionQuery>;
export const SessionState = Type.Object({
  valid: Type.Boolean(),
  role: Nullable(AdminRole),
  username: Nullable(Type.String()),
  /** The admin must set up two-factor authentication first. */
  totp_missing: Type.Boolean(),
  must_change_password: Type.Optional(Type.Boolean()),
});
export type SessionState = Static<typeof SessionState>;
