import type { AdminLoginRequest, AdminLoginResponse, Done } from '@daylift/contracts/accounts.http';
import type {
  AcceptedInvitation,
  AcceptInvitationRequest,
  AdminAccount,
  AdminInvitation,
  AdminMe,
  ChangeAdminPasswordRequest,
  ChangeAdminRequest,
  InviteAdminRequest,
  RecoveryCodes,
  TotpBeginRequest,
  TotpBegun,
  TotpConfirmRequest,
  TotpDisableRequest,
} from '@daylift/contracts/admins.http';
import type { AuditCheck, AuditEntry, AuditQuery } from '@daylift/contracts/audit.http';
import type { Client } from './request.ts';

const one = (id: string) => `/admin/admins/${encodeURIComponent(id)}`;

export const createAdminsApi = ({ callPath: call }: Pick<Client, 'callPath'>) => ({
  logIn: (body: AdminLoginRequest) => call<AdminLoginResponse>('POST', '/admin/login', { body }),
  logOut: () => call<void>('POST', '/admin/logout', { keepalive: true }),
  acceptInvitation: (body: AcceptInvitationRequest) =>
    call<AcceptedInvitation>('POST', '/admin/invitation', { body }),
  getMe: (signal?: AbortSignal) => call<AdminMe>('GET', '/admin/me', { signal }),
  changePassword: (body: ChangeAdminPasswordRequest) =>
    call<AdminLoginResponse>('POST', '/admin/me/password', { body }),
  beginTotp: (body: TotpBeginRequest) => call<TotpBegun>('POST', '/admin/me/totp', { body }),
  confirmTotp: (body: TotpConfirmRequest) =>
    call<RecoveryCodes>('POST', '/admin/me/totp/confirm', { body }),
  disableTotp: (body: TotpDisableRequest) => call<Done>('POST', '/admin/me/totp/disable', { body }),
  list: (signal?: AbortSignal) => call<AdminAccount[]>('GET', '/admin/admins', { signal }),
  invite: (body: InviteAdminRequest) => call<AdminInvitation>('POST', '/admin/admins', { body }),
  change: (id: string, body: ChangeAdminRequest) => call<AdminAccount>('PUT', one(id), { body }),
  inviteAgain: (id: string) => call<AdminInvitation>('POST', `${one(id)}/invitation`, { body: {} }),
  removeTotp: (id: string) => call<AdminAccount>('DELETE', `${one(id)}/totp`),
  listAudit: (query: AuditQuery, signal?: AbortSignal) =>
    call<AuditEntry[]>('GET', '/admin/audit-log', { query, signal }),
  verifyAudit: (after_entry: number, signal?: AbortSignal) =>
    call<AuditCheck>('GET', '/admin/audit-log/verify', { query: { after_entry }, signal }),
});
