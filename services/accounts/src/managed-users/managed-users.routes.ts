import { AdminUserList } from '@daylift/contracts/accounts.http';
import { ErrorBody } from '@daylift/contracts/error';
import { IdParams } from '@daylift/contracts/fields';
import {
  CreateUserRequest,
  CreateUserResponse,
  DeleteUserResponse,
  ToggleStatusRequest,
  ToggleStatusResponse,
  UserListQuery,
} from '@daylift/contracts/people.http';
import { actingAdmin } from '@daylift/server/acting-admin';
import { bodyOrQuery } from '@daylift/server/body-or-query';
import type { Server } from '@daylift/server/create-server';
import { adminOf, requireAdmin } from '@daylift/server/identity';
import { Type } from 'typebox';
import { recordAccess } from '../audit-log/record-access.ts';
import type { AccountsDeps } from '../deps.ts';
import { FieldsMissing } from '../errors.ts';
import { isBlank } from '../signups/signup-input.ts';
import { takeEmptyBody } from '../users/empty-body.ts';
import { adminUserOf, seesContacts } from '../users/user-views.ts';
import { createUser } from './create-user.ts';
import { deleteUser } from './delete-user.ts';
import { listUsers } from './list-users.ts';
import { setActive } from './set-active.ts';

const refused = { 400: ErrorBody, 401: ErrorBody, 403: ErrorBody };

/** What every admin sees of subscribers. */
export function userListRoutes(app: Server, deps: AccountsDeps): void {
  app.addHook('onRequest', requireAdmin('viewer'));

  app.get(
    '/admin/users',
    { schema: { querystring: UserListQuery, response: { 200: AdminUserList, ...refused } } },
    async (request, reply) => {
      const { role } = adminOf(request);
      const wish = { ...request.query, byContact: seesContacts(role) };
      const { users, total } = await listUsers(deps.db, wish);
      await recordAccess(deps, actingAdmin(request), 'users.listed');
      reply.header('x-total-count', total);
      return users.map((user) => adminUserOf(user, role));
    },
  );
}

/** For whom reads the description; what counts is checked as a body. */
const CreateUserQuery = Type.Object({
  name: Type.Optional(Type.String()),
  email: Type.Optional(Type.String()),
  phone: Type.Optional(Type.String()),
  timezone: Type.Optional(Type.String()),
  delivery_time: Type.Optional(Type.String()),
  plan: Type.Optional(Type.String()),
});

/** What operators do with subscribers. */
export function manageUserRoutes(app: Server, deps: AccountsDeps): void {
  app.addHook('onRequest', requireAdmin('operator'));
  takeEmptyBody(app);

  app.post(
    '/admin/users/create',
    {
      preValidation: bodyOrQuery,
      schema: {
        querystring: CreateUserQuery,
        body: CreateUserRequest,
        response: {
          200: CreateUserResponse,
          201: CreateUserResponse,
          409: ErrorBody,
          503: ErrorBody,
          ...refused,
        },
      },
      attachValidation: true,
    },
    async (request, reply) => {
      const body: Record<string, unknown> = request.body;
      if (['name', 'email', 'phone'].some((field) => isBlank(body, field)))
        throw new FieldsMissing();
      if (request.validationError) throw request.validationError;
      const { isNew, ...created } = await createUser(deps, request.body, actingAdmin(request));
      reply.code(isNew ? 201 : 200).header('cache-control', 'no-store');
      return created;
    },
  );

  app.post(
    '/admin/users/:id/toggle-status',
    {
      schema: {
        params: IdParams,
        body: ToggleStatusRequest,
        response: { 200: ToggleStatusResponse, 404: ErrorBody, ...refused },
      },
    },
    async (request) =>
      setActive(deps, request.params.id, request.body.is_active, actingAdmin(request)),
  );
}

/** Erasure is for owners. */
export function deleteUserRoutes(app: Server, deps: AccountsDeps): void {
  app.addHook('onRequest', requireAdmin('owner'));

  app.delete(
    '/admin/users/:id',
    {
      schema: {
        params: IdParams,
        response: { 200: DeleteUserResponse, 404: ErrorBody, ...refused },
      },
    },
    async (request) => deleteUser(deps, request.params.id, actingAdmin(request)),
  );
}
