import { type Static, Type } from 'typebox';
import { AdminRole, Count, Email, Id, Instant, Nullable, OneOf, StrictObject } from './fields.ts';

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
  /** The operators' time zone and the current product time. */
  timezone: Type.String(),
  now: Instant,
});
export type AdminMe = Static<typeof AdminMe>;

export const ChangeAdminPasswordRequest = StrictObject({
  old_password: Type.String({ minLength: 1, maxLength: 128 }),
  new_password: AdminPassword,
});
export type ChangeAdminPasswordRequest = Static<typeof ChangeAdminPasswordRequest>;

export const TotpCode = Type.String({ minLength: 1, maxLength: 40 });

export const TotpBeginRequest = StrictObject({
  password: Type.String({ minLength: 1, maxLength: 128 }),
});
export type TotpBeginRequest = Static<typeof TotpBeginRequest>;
export const TotpBegun = Type.Object({ secret: Type.String(), otpauth_url: Type.String() });
export type TotpBegun = Static<typeof TotpBegun>;
export const TotpConfirmRequest = StrictObject({ code: TotpCode });
export type TotpConfirmRequest = Static<typeof TotpConfirmRequest>;
export const RecoveryCodes = Type.Object({ recovery_codes: Type.Array(Type.String()) });
export type RecoveryCodes = Static<typeof RecoveryCodes>;
export const TotpDisableRequest = StrictObject({
  password: Type.String({ minLength: 1, maxLength: 128 }),
  code: TotpCode,
});
export type TotpDisableRequest = Static<typeof TotpDisableRequest>;

export const AdminAccount = Type.Object({
  id: Id,
  username: Type.String(),
  email: Nullable(Type.String()),
  role: AdminRole,
  state: OneOf('active', 'invited', 'deactivated'),
  totp_enabled: Type.Boolean(),
  last_login_at: Nullable(Instant),
  created_at: Instant,
});
export type AdminAccount = Static<typeof AdminAccount>;
export const AdminAccountList = Type.Array(AdminAccount);

export const InviteAdminRequest = StrictObject({
  username: Type.String({ pattern: '^[a-z0-9][a-z0-9._-]{1,49}$' }),
  email: Email,
  role: AdminRole,
});
export type InviteAdminRequest = Static<typeof InviteAdminRequest>;
export const AdminInvitation = Type.Object({
  admin: AdminAccount,
  invitation_url: Type.String(),
  expires_at: Instant,
});
export type AdminInvitation = Static<typeof AdminInvitation>;

export const ChangeAdminRequest = StrictObject(
  { role: Type.Optional(AdminRole), is_active: Type.Optional(Type.Boolean()) },
  { minProperties: 1 },
);
export type ChangeAdminRequest = Static<typeof ChangeAdminRequest>;

export const AcceptInvitationRequest = StrictObject({
  token: Type.String({ pattern: '^[\\w-]{43}$' }),
  password: AdminPassword,
});
export type AcceptInvitationRequest = Static<typeof AcceptInvitationRequest>;
export const AcceptedInvitation = Type.Object({ username: Type.String() });
