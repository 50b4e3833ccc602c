import { accountsApi } from '@daylift/contracts/accounts.api';
import type { Server } from '@daylift/server/create-server';
import { userOf } from '@daylift/server/identity';
import { implement } from '@daylift/server/implement';
import { senderOf } from '@daylift/server/sender';
import type { AccountsDeps } from '../deps.ts';
import { clientHashOf } from '../users/identity-hash.ts';
import { meOf } from '../users/user-views.ts';
import { signedIn } from '../users/users.actions.ts';
import { findUser } from '../users/users.repository.ts';
import { updateSettings } from './update-settings.ts';

export function settingsRoutes(app: Server, deps: AccountsDeps): void {
  implement(app, accountsApi, {
    'GET /users/me': async (request) => {
      const session = userOf(request);
      const user = signedIn(await findUser(deps.db, session.user_id), session);
      return meOf(user, deps.product.publicUrl);
    },
    'PUT /users/me': async (request) => {
      const clientHash = clientHashOf(deps, senderOf(request).ip);
      const user = await updateSettings(deps, userOf(request), request.body, clientHash);
      return meOf(user, deps.product.publicUrl);
    },
    'POST /users/me/toggle-delivery': (request) =>
      updateSettings(deps, userOf(request), { delivery_enabled: request.query.enable }),
  });
}
