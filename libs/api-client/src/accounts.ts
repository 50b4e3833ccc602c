import type {
  AdminLoginRequest,
  AdminLoginResponse,
  AdminUser,
  LoginRequest,
  LoginResponse,
  Me,
  SignupRequest,
  SignupResponse,
  UpdateMeRequest,
} from '@daylift/contracts/accounts.http';
import type { Page } from '@daylift/contracts/fields';
import type { Client } from './request.ts';

/** Without `code` a code is texted and nothing changes; with it the password is set. */
export interface SetPasswordRequest {
  email_or_phone: string;
  password: string;
  code?: string;
}

/** Calls that the accounts service answers for visitors and subscribers. */
export const createAccountsApi = ({ call }: Pick<Client, 'call'>) => ({
  signUp: (body: SignupRequest) => call<SignupResponse>('POST', '/subscriptions', { body }),
  logIn: (body: LoginRequest) => call<LoginResponse>('POST', '/users/login', { body }),
  setPassword: (body: SetPasswordRequest) => call<void>('POST', '/users/set-password', { body }),
  getMe: (signal?: AbortSignal) => call<Me>('GET', '/users/me', { signal }),
  updateMe: (body: UpdateMeRequest) => call<Me>('PUT', '/users/me', { body }),
});

/** Calls that the accounts service answers for operators. */
export const createAdminAccountsApi = ({ call, callPaged }: Client) => ({
  logIn: (body: AdminLoginRequest) => call<AdminLoginResponse>('POST', '/admin/login', { body }),
  listUsers: (page: Page, signal?: AbortSignal) =>
    callPaged<AdminUser[]>('/admin/users', { query: page, signal }),
});
