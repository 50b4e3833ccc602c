import { type Static, Type } from 'typebox';
import { AdminRole, Count, Email, Id, Instant, Nullable } from './fields.ts';

const strict = { additionalProperties: false };

/** Longer than a subscriber's: an admin reaches everybody. */
export const AdminPassword = Type.String({ minLength: 12, maxLength: 128 });

/** GET /admin/me: who is signed in to the operators' pages. */
export const AdminMe = Type.Object({
  id: Id,
  username: Type.String(),
  role: AdminRole,
  email: Nullable(Type.String()),
  totp_enabled: Type.Boolean(),
  /** Whether this product asks every admin for a second step: without one, nothing but setting it up is open. */
  totp_required: Type.Boolean(),
  recovery_codes_left: Count,
});
export type AdminMe = Static<typeof AdminMe>;

/** POST /admin/me/password; the answer is that of a login, and every other session ends. */
export const ChangeAdminPasswordRequest = Type.Object(
  { old_password: Type.String({ minLength: 1, maxLength: 128 }), new_password: AdminPassword },
  strict,
);
export type ChangeAdminPasswordRequest = Static<typeof ChangeAdminPasswordRequest>;

/** Six digits of the app, or a recovery code, however spaced. */
export const SecondStepCode = Type.String({ minLength: 1, maxLength: 40 });

/** POST /admin/me/totp */
export const TotpBeginRequest = Type.Object(
  { password: Type.String({ minLength: 1, maxLength: 128 }) },
  strict,
);
export type TotpBeginRequest = Static<typeof TotpBeginRequest>;
/** For the app; counts only once it is confirmed. */
export const TotpBegun = Type.Object({ secret: Type.String(), otpauth_url: Type.String() });
export type TotpBegun = Static<typeof TotpBegun>;
/** POST /admin/me/totp/confirm */
export const TotpConfirmRequest = Type.Object({ code: SecondStepCode }, strict);
export type TotpConfirmRequest = Static<typeof TotpConfirmRequest>;
/** Shown this once. */
export const RecoveryCodes = Type.Object({ recovery_codes: Type.Array(Type.String()) });
export type RecoveryCodes = Static<typeof RecoveryCodes>;
/** POST /admin/me/totp/disable */
export const TotpDisableRequest = Type.Object(
  { password: Type.String({ minLength: 1, maxLength: 128 }), code: SecondStepCode },
  strict,
);
export type TotpDisableRequest = Static<typeof TotpDisableRequest>;

/** A row of GET /admin/admins. */
export const AdminAccount = Type.Object({
  id: Id,
  username: Type.String(),
  email: Nullable(Type.String()),
  role: AdminRole,
  /** `invited`: has no password yet, or none any more. */
  state: Type.Union([Type.Literal('active'), Type.Literal('invited'), Type.Literal('deactivated')]),
  totp_enabled: Type.Boolean(),
  last_login_at: Nullable(Instant),
  created_at: Instant,
});
export type AdminAccount = Static<typeof AdminAccount>;
export const AdminAccountList = Type.Array(AdminAccount);

/** POST /admin/admins */
export const InviteAdminRequest = Type.Object(
  {
    username: Type.String({ pattern: '^[a-z0-9][a-z0-9._-]{1,49}$' }),
    email: Email,
    role: AdminRole,
  },
  strict,
);
export type InviteAdminRequest = Static<typeof InviteAdminRequest>;
/** The link is good for one use, is told this once, and is mailed as well. */
export const AdminInvitation = Type.Object({
  admin: AdminAccount,
  invitation_url: Type.String(),
  expires_at: Instant,
});
export type AdminInvitation = Static<typeof AdminInvitation>;

/** PUT /admin/admins/:id */
export const ChangeAdminRequest = Type.Object(
  { role: Type.Optional(AdminRole), is_active: Type.Optional(Type.Boolean()) },
  { ...strict, minProperties: 1 },
);
export type ChangeAdminRequest = Static<typeof ChangeAdminRequest>;

/** POST /admin/invitation: whoever has the link chooses a password. */
export const AcceptInvitationRequest = Type.Object(
  { token: Type.String({ pattern: '^[\\w-]{43}$' }), password: AdminPassword },
  strict,
);
export type AcceptInvitationRequest = Static<typeof AcceptInvitationRequest>;
export const AcceptedInvitation = Type.Object({ username: Type.String() });
export type AcceptedInvitation = Static<typeof AcceptedInvitation>;
