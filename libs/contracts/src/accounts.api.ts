import { Type } from 'typebox';
import {
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
  ReferralCodeQuery,
  ReferralCodeState,
  ReferralLink,
  RevertChangeRequest,
  SessionQuery,
  SessionState,
  SetPasswordRequest,
  SignupFacts,
  SignupRequest,
  SignupResponse,
  SupportRequest,
  ToggleDeliveryQuery,
  ToggleDeliveryResponse,
  UpdateMeRequest,
  UserExport,
  UserFigures,
} from './accounts.http.ts';
import { adminAccountEndpoints } from './admin-accounts.api.ts';
import { anyone, defineApi, user } from './endpoint.ts';
import { failedEndpoints } from './failed.api.ts';
import { NoFields } from './fields.ts';
import { SupportThreads, SupportThreadsQuery } from './inbox.http.ts';
import { AccountsLive } from './live.http.ts';
import { OwnDay } from './timeline.http.ts';
import { DayParams } from './timeline-parts.http.ts';
import { SubscriberContacts, SubscriberContactsQuery } from './undelivered.http.ts';

const ChangePasswordQuery = Type.Object({
  old_password: Type.Optional(Type.String()),
  new_password: Type.Optional(Type.String()),
});

export const accountsApi = defineApi('accounts', {
  'POST /subscriptions': anyone('Sign up; the id opens the checkout', {
    rate: 'signup',
    body: SignupRequest,
    response: SignupResponse,
    status: 201,
    errors: [409],
  }),
  'POST /users/login': anyone('Sign in with email address or phone number', {
    rate: 'login',
    body: LoginRequest,
    response: LoginResponse,
    errors: [401, 403],
  }),
  'GET /users/me': user('The signed-in subscriber and their settings', { response: Me }),
  'PUT /users/me': user(
    'Change settings; a new phone or email needs the password and must be confirmed',
    { body: UpdateMeRequest, response: Me, errors: [409, 422] },
  ),
  'POST /users/me/contact-code': user(
    'Send a code to a confirmed email or phone, to change either without the password',
    { rate: 'code', body: NoFields, response: Done, status: 202, errors: [409] },
  ),
  'POST /users/me/confirm-phone': user(
    'Request a code by text, or confirm the phone number with it',
    { rate: 'code', body: ConfirmPhoneRequest, response: Done, status: [200, 202], errors: [409] },
  ),
  'POST /users/revert-change': anyone(
    'Undo a change of email or phone with the link sent to the old one',
    { rate: 'login', body: RevertChangeRequest, response: Done },
  ),
  'POST /users/set-password': anyone('Request a code by text, or set a password with it', {
    rate: 'code',
    body: SetPasswordRequest,
    response: Done,
    status: [200, 202],
  }),
  'POST /users/confirm-email': anyone(
    'Confirm or decline an email address with the link sent there',
    { rate: 'login', body: ConfirmEmailRequest, response: Done, errors: [422] },
  ),
  'POST /users/me/confirm-email': user('Resend the link that confirms the email address', {
    body: NoFields,
    response: Done,
    status: 202,
    errors: [409],
  }),
  'POST /users/logout': user('End this session', { beforeOwnPassword: true }),
  'POST /users/me/change-password': user('Change the password; ends all other sessions', {
    rate: 'login',
    query: ChangePasswordQuery,
    body: ChangePasswordRequest,
    response: ChangePasswordResponse,
    errors: [422],
    beforeOwnPassword: true,
  }),
  'POST /users/me/toggle-delivery': user('Turn texts on or off', {
    query: ToggleDeliveryQuery,
    body: NoFields,
    response: ToggleDeliveryResponse,
    errors: [409],
  }),
  'POST /users/me/consent-request': user('Resend the text that asks for a YES', {
    rate: 'code',
    body: NoFields,
    response: Done,
    status: 202,
    errors: [409],
  }),
  'POST /users/me/generate-referral': user(
    "Create the subscriber's referral code, or return the existing one",
    {
      body: NoFields,
      response: ReferralLink,
    },
  ),
  'GET /referrals': anyone('Whether a referral code exists', {
    rate: 'promotion',
    query: ReferralCodeQuery,
    response: ReferralCodeState,
  }),
  'GET /users/me/days/:date': user("What happened to a day's text, and why", {
    params: Type.Pick(DayParams, ['date']),
    response: OwnDay,
  }),
  'GET /users/me/export': user('Export everything stored about the subscriber', {
    response: UserExport,
  }),
  'POST /users/me/delete': user('Delete the account and its data', {
    rate: 'login',
    body: DeleteAccountRequest,
    response: Done,
    errors: [422],
  }),
  'POST /support/contact': user('Write to support as a subscriber', {
    rate: 'letter',
    query: Type.Partial(SupportRequest),
    body: SupportRequest,
    response: Done,
    status: 202,
  }),
  'GET /users/me/support-messages': user("The subscriber's conversations with support", {
    query: SupportThreadsQuery,
    response: SupportThreads,
  }),
  'POST /contact': anyone('Write to support without an account', {
    rate: 'letter',
    body: ContactRequest,
    response: Done,
    status: 202,
  }),
  'GET /internal/analytics/users': { access: 'internal', response: UserFigures },
  'GET /internal/live': { access: 'internal', response: AccountsLive },
  'GET /internal/people': {
    access: 'internal',
    query: SubscriberContactsQuery,
    response: SubscriberContacts,
  },
  'GET /internal/signups/:id': { access: 'internal', response: SignupFacts },
  'GET /internal/sessions': { access: 'internal', query: SessionQuery, response: SessionState },
  ...adminAccountEndpoints,
  ...failedEndpoints('accounts'),
});
