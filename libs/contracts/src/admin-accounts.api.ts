import { Type } from 'typebox';
import {
  AdminLoginRequest,
  AdminLoginResponse,
  AdminUser,
  AdminUserList,
  Done,
} from './accounts.http.ts';
import {
  AcceptedInvitation,
  AcceptInvitationRequest,
  AdminAccount,
  AdminAccountList,
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
} from './admins.http.ts';
import { AuditCheck, AuditCheckQuery, AuditEntryList, AuditQuery } from './audit.http.ts';
import { anyone, defineEndpoints, operator, owner, self, viewer } from './endpoint.ts';
import {
  AnswerRequest,
  AssigneeRequest,
  Assignees,
  CloseRequest,
  Conversation,
  InboxPage,
  InboxQuery,
  NewSavedReply,
  SavedReplyList,
  SavedReplyRequest,
} from './inbox.http.ts';
import {
  CreateUserRequest,
  CreateUserResponse,
  DeleteUserResponse,
  ManyStatuses,
  ManyStatusesRequest,
  ToggleStatusRequest,
  ToggleStatusResponse,
  UpdateUserRequest,
  UserListQuery,
} from './managed-users.http.ts';
import {
  AdminSubscriber,
  AdminSubscription,
  DayAnswer,
  Timeline,
  TimelineQuery,
} from './timeline.http.ts';
import { DayParams } from './timeline-parts.http.ts';

const CreateUserQuery = Type.Object({
  name: Type.Optional(Type.String()),
  email: Type.Optional(Type.String()),
  phone: Type.Optional(Type.String()),
  timezone: Type.Optional(Type.String()),
  delivery_time: Type.Optional(Type.String()),
  plan: Type.Optional(Type.String()),
});

export const adminAccountEndpoints = defineEndpoints({
  'POST /admin/login': anyone('Sign in as an admin', {
    rate: 'login',
    body: AdminLoginRequest,
    response: AdminLoginResponse,
    errors: [401, 403],
  }),
  'POST /admin/logout': self("End this admin's session"),
  'POST /admin/invitation': anyone('Choose a password with the link in an invitation', {
    rate: 'login',
    body: AcceptInvitationRequest,
    response: AcceptedInvitation,
  }),
  'GET /admin/me': self('The signed-in admin and their role', { response: AdminMe }),
  'POST /admin/me/password': self('Change your password; ends all other sessions', {
    rate: 'login',
    body: ChangeAdminPasswordRequest,
    response: AdminLoginResponse,
    errors: [422],
  }),
  'POST /admin/me/totp': self('Start setting up two-step sign-in with the password', {
    rate: 'login',
    body: TotpBeginRequest,
    response: TotpBegun,
    errors: [409, 422],
  }),
  'POST /admin/me/totp/confirm': self(
    'Turn on two-step sign-in with the first code; returns the recovery codes',
    { rate: 'login', body: TotpConfirmRequest, response: RecoveryCodes, errors: [409, 422] },
  ),
  'POST /admin/me/totp/disable': self('Turn off two-step sign-in', {
    rate: 'login',
    body: TotpDisableRequest,
    response: Done,
    errors: [409, 422],
  }),
  'GET /admin/admins': owner('Admins with their roles and states', {
    response: AdminAccountList,
  }),
  'POST /admin/admins': owner('Invite an admin; returns the link once', {
    body: InviteAdminRequest,
    response: AdminInvitation,
    status: 201,
    errors: [409],
  }),
  'PUT /admin/admins/:id': owner("Change an admin's role, or deactivate or activate the admin", {
    body: ChangeAdminRequest,
    response: AdminAccount,
    errors: [409],
  }),
  'POST /admin/admins/:id/invitation': owner(
    "Reset an admin's password and send a new invitation",
    {
      response: AdminInvitation,
      errors: [409],
    },
  ),
  'DELETE /admin/admins/:id/totp': owner(
    'Turn off two-step sign-in for an admin who lost their device',
    {
      response: AdminAccount,
      errors: [409],
    },
  ),
  'GET /admin/audit-log': owner('Admin actions, newest first, with filters', {
    query: AuditQuery,
    response: AuditEntryList,
  }),
  'GET /admin/audit-log/verify': owner(
    'Verify that no audit log entry was changed, 10,000 at a time',
    {
      query: AuditCheckQuery,
      response: AuditCheck,
    },
  ),
  'GET /admin/users': viewer('Subscribers, with search, filters and order', {
    query: UserListQuery,
    response: AdminUserList,
    paged: true,
  }),
  'POST /admin/users/create': operator(
    'Create a subscriber; returns a password that is shown once',
    {
      query: CreateUserQuery,
      body: CreateUserRequest,
      response: CreateUserResponse,
      status: [200, 201],
      errors: [409],
    },
  ),
  'POST /admin/users/status': operator('Pause or activate several subscribers', {
    body: ManyStatusesRequest,
    response: ManyStatuses,
    slow: true,
  }),
  'PUT /admin/users/:id': operator("Change a subscriber's settings and contact data", {
    body: UpdateUserRequest,
    response: AdminUser,
    errors: [409],
  }),
  'POST /admin/users/:id/toggle-status': operator('Pause or activate a subscriber', {
    body: ToggleStatusRequest,
    response: ToggleStatusResponse,
  }),
  'DELETE /admin/users/:id': owner('Delete a subscriber and their data', {
    response: DeleteUserResponse,
  }),
  'GET /admin/inbox': viewer('Conversations with people who wrote to support, latest first', {
    query: InboxQuery,
    response: InboxPage,
  }),
  'GET /admin/inbox/assignees': viewer('Admins to whom a conversation can be assigned', {
    response: Assignees,
  }),
  'PUT /admin/inbox/:id/assignee': operator('Assign a conversation to an admin, or to no one', {
    body: AssigneeRequest,
    response: Conversation,
  }),
  'GET /admin/saved-replies': operator('Saved replies', {
    response: SavedReplyList,
  }),
  'POST /admin/saved-replies': operator('Save a reply', {
    body: NewSavedReply,
    response: SavedReplyList,
    errors: [409],
  }),
  'PUT /admin/saved-replies/:id': operator('Change a saved reply', {
    body: SavedReplyRequest,
    response: SavedReplyList,
  }),
  'DELETE /admin/saved-replies/:id': operator('Delete a saved reply', {
    response: SavedReplyList,
  }),
  'GET /admin/inbox/:id': viewer(
    'One conversation: messages, replies, and why a reply cannot be sent',
    { response: Conversation },
  ),
  'POST /admin/inbox/:id/answer': operator('Reply by email or by text', {
    body: AnswerRequest,
    response: Conversation,
    errors: [409],
  }),
  'POST /admin/inbox/:id/close': operator('Close a conversation', {
    body: CloseRequest,
    response: Conversation,
    errors: [409],
  }),
  'POST /admin/inbox/:id/reopen': operator('Open a closed conversation again', {
    response: Conversation,
  }),
  'GET /admin/users/:id': viewer('One subscriber: settings, consent, and the next text', {
    response: AdminSubscriber,
  }),
  'GET /admin/users/:id/subscription': viewer("A subscriber's plan and payments", {
    response: AdminSubscription,
  }),
  'GET /admin/users/:id/timeline': viewer("A subscriber's timeline, newest first", {
    query: TimelineQuery,
    response: Timeline,
  }),
  'GET /admin/users/:id/days/:date': viewer(
    "Why a subscriber did or didn't get the text on a date",
    {
      params: DayParams,
      response: DayAnswer,
    },
  ),
});
