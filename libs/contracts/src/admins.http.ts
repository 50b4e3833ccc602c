import { type Static, Type } from 'typebox';
import { AdminRole, Count, Email, Id, Instant, Nullable } from './fields.ts';

const strict = { additionalProperties: false };

export const AdminPassword = Type.String({ minLength: 12, maxLength: 128 });

export const AdminMe = Type.Object({
  id: Id,
  username: Type.String(),
  role: AdminRole,
  email: Nullable(Type.String()),
  totp_enabled: Type.Boolean(),
  /** Every admin must use two-factor authentication; until it's set up, nothing else is allowed. */
  totp_required: Type.Boolean(),
  recovery_codes_left: Count,
});
export type AdminMe = Static<typeof AdminMe>;

export const ChangeAdminPasswordRequest = Type.Object(
  { old_password: Type.String({ minLength: 1, maxLength: 128 }), new_password: AdminPassword },
  strict,
);
export type ChangeAdminPasswordRequest = Static<typeof ChangeAdminPasswordRequest>;

export const TotpCode = Type.String({ minLength: 1, maxLength: 40 });

export const TotpBeginRequest = Type.Object(
  { password: Type.String({ minLength: 1, maxLength: 128 }) },
  strict,
);
export type TotpBeginRequest = Static<typeof TotpBeginRequest>;
export const TotpBegun = Type.Object({ secret: Type.String(), otpauth_url: Type.String() });
export type TotpBegun = Static<typeof TotpBegun>;
export const TotpConfirmRequest = Type.Object({ code: TotpCode }, strict);
export type TotpConfirmRequest = Static<typeof TotpConfirmRequest>;
export const RecoveryCodes = Type.Object({ recovery_codes: Type.Array(Type.String()) });
export type RecoveryCodes = Static<typeof RecoveryCodes>;
export const TotpDisableRequest = Type.Object(
  { password: Type.String({ minLength: 1, maxLength: 128 }), code: TotpCode },
  strict,
);
export type TotpDisableRequest = Static<typeof TotpDisableRequest>;

export const AdminAccount = Type.Object({
  id: Id,
  username: Type.String(),
  email: Nullable(Type.String()),
  role: AdminRole,
  /** `invited`: no password yet, or it was removed. */
  state: Type.Union([Type.Literal('active'), Type.Literal('invited'), Type.Literal('deactivated')]),
  totp_enabled: Type.Boolean(),
  last_login_at: Nullable(Instant),
  created_at: Instant,
});
export type AdminAccount = Static<typeof AdminAccount>;
export const AdminAccountList = Type.Array(AdminAccount);

export const InviteAdminRequest = Type.Object(
  {
    username: Type.String({ pattern: '^[a-z0-9][a-z0-9._-]{1,49}$' }),
    email: Email,
    role: AdminRole,
  },
  strict,
);
export type InviteAdminRequest = Static<typeof InviteAdminRequest>;
export const AdminInvitation = Type.Object({
  admin: AdminAccount,
  invitation_url: Type.String(),
  expires_at: Instant,
});
export type AdminInvitation = Static<typeof AdminInvitation>;

export const ChangeAdminRequest = Type.Object(
  { role: Type.Optional(AdminRole), is_active: Type.Optional(Type.Boolean()) },
  { ...strict, minProperties: 1 },
);
export type ChangeAdminRequest = Static<typeof ChangeAdminRequest>;

export const AcceptInvitationRequest = Type.Object(
  { token: Type.String({ pattern: '^[\\w-]{43}$' }), password: AdminPassword },
  strict,
);
export type AcceptInvitationRequest = Static<typeof AcceptInvitationRequest>;
export const AcceptedInvitation = Type.Object({ username: Type.String() });
