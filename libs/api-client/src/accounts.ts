import type {
  ChangePasswordRequest,
  ChangePasswordResponse,
  ConfirmEmailRequest,
  ConfirmPhoneRequest,
  ContactRequest,
  DeleteAccountRequest,
  Done,
  LoginRequest,
  LoginResponse,
  Me,
  ReferralLink,
  RevertChangeRequest,
  SetPasswordRequest,
  SignupRequest,
  SignupResponse,
  SupportRequest,
  ToggleDeliveryResponse,
  UpdateMeRequest,
} from '@daylift/contracts/accounts.http';
import type { Client } from './request.ts';

/** Account calls for visitors and subscribers. */
export const createAccountsApi = ({ callPath: call }: Pick<Client, 'callPath'>) => ({
  signUp: (body: SignupRequest) => call<SignupResponse>('POST', '/subscriptions', { body }),
  logIn: (body: LoginRequest) => call<LoginResponse>('POST', '/users/login', { body }),
  setPassword: (body: SetPasswordRequest) => call<Done>('POST', '/users/set-password', { body }),
  getMe: (signal?: AbortSignal) => call<Me>('GET', '/users/me', { signal }),
  updateMe: (body: UpdateMeRequest) => call<Me>('PUT', '/users/me', { body }),
  toggleDelivery: (enable: boolean) =>
    call<ToggleDeliveryResponse>('POST', '/users/me/toggle-delivery', { query: { enable } }),
  askConsentAgain: () => call<Done>('POST', '/users/me/consent-request'),
  confirmEmail: (body: ConfirmEmailRequest) => call<Done>('POST', '/users/confirm-email', { body }),
  revertChange: (body: RevertChangeRequest) => call<Done>('POST', '/users/revert-change', { body }),
  confirmPhone: (body: ConfirmPhoneRequest) =>
    call<Done>('POST', '/users/me/confirm-phone', { body }),
  resendConfirmation: () => call<Done>('POST', '/users/me/confirm-email'),
  changePassword: (body: ChangePasswordRequest) =>
    call<ChangePasswordResponse>('POST', '/users/me/change-password', { body }),
  logOut: () => call<void>('POST', '/users/logout', { keepalive: true }),
  generateReferral: () => call<ReferralLink>('POST', '/users/me/generate-referral'),
  contactSupport: (body: SupportRequest) => call<Done>('POST', '/support/contact', { body }),
  contact: (body: ContactRequest) => call<Done>('POST', '/contact', { body }),
  deleteAccount: (body: DeleteAccountRequest) => call<Done>('POST', '/users/me/delete', { body }),
});
