import { accountsApi } from '@daylift/contracts/accounts.api';
import { actingAdmin } from '@daylift/server/acting-admin';
import { bodyOrQuery } from '@daylift/server/body-or-query';
import type { Server } from '@daylift/server/create-server';
import { adminOf } from '@daylift/server/identity';
import { implement } from '@daylift/server/implement';
import { recordAccess } from '../audit-log/record-access.ts';
import type { AccountsDeps } from '../deps.ts';
import { FieldsMissing } from '../errors.ts';
import { isBlank } from '../signups/signup-input.ts';
import { adminUserOf, listedUserOf, seesContacts } from '../users/user-views.ts';
import { findLastMessage } from '../users/users.repository.ts';
import { createUser } from './create-user.ts';
import { deleteUser } from './delete-user.ts';
import { listUsers } from './list-users.repository.ts';
import { setActive, setManyActive } from './set-active.ts';
import { updateUser } from './update-user.ts';

export function managedUserRoutes(app: Server, deps: AccountsDeps): void {
  implement(app, accountsApi, {
    'GET /admin/users': async (request) => {
      const { role } = adminOf(request);
      const filter = { ...request.query, byContact: seesContacts(role) };
      const { users, total } = await listUsers(deps.db, filter);
      await recordAccess(deps, actingAdmin(request), 'users.listed');
      return { rows: users.map((user) => listedUserOf(user, role)), total };
    },
    'POST /admin/users/status': (request) =>
      setManyActive(deps, request.body, actingAdmin(request)),
    'PUT /admin/users/:id': async (request) => {
      const user = await updateUser(deps, request.params.id, request.body, actingAdmin(request));
      const last_message_sent = await findLastMessage(deps.db, user.id);
      return adminUserOf({ ...user, last_message_sent }, adminOf(request).role);
    },
    'POST /admin/users/:id/toggle-status': (request) =>
      setActive(deps, request.params.id, request.body.is_active, actingAdmin(request)),
    'DELETE /admin/users/:id': (request) =>
      deleteUser(deps, request.params.id, actingAdmin(request)),
  });
  implement(
    app,
    accountsApi,
    {
      'POST /admin/users/create': async (request, reply) => {
        const body: Record<string, unknown> = request.body;
        if (['name', 'email', 'phone'].some((field) => isBlank(body, field)))
          throw new FieldsMissing();
        if (request.validationError) throw request.validationError;
        const { isNew, ...created } = await createUser(deps, request.body, actingAdmin(request));
        if (isNew) reply.code(201);
        return created;
      },
    },
    { preValidation: bodyOrQuery, attachValidation: true },
  );
}
