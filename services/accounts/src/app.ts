import { accountsApi } from '@daylift/contracts/accounts.api';
import { registerParked } from '@daylift/events/parked/parked.routes';
import { parkedEvents } from '@daylift/events/parked/parked-events';
import { parkedMails } from '@daylift/mail/parked-mails';
import { createServer, type Server } from '@daylift/server/create-server';
import type { ReadinessChecks } from '@daylift/server/health';
import { registerIdentity } from '@daylift/server/identity';
import { expectEndpoints } from '@daylift/server/implement';
import type { LogLevel } from '@daylift/server/logger';
import { adminAccountRoutes, invitationRoutes } from './admins/admins.routes.ts';
import { recordAudit } from './admins/audit.ts';
import { auditLogRoutes } from './audit-log/audit-log.routes.ts';
import { consentRoutes } from './consents/consents.routes.ts';
import { subscriptions } from './consumers.ts';
import type { AccountsDatabase } from './database.ts';
import { deletionRoutes } from './deletions/deletions.routes.ts';
import type { AccountsDeps } from './deps.ts';
import { exportRoutes } from './exports/exports.routes.ts';
import { inboxActionRoutes, inboxRoutes } from './letters/inbox.routes.ts';
import { contactRoutes, supportRoutes } from './letters/letters.routes.ts';
import {
  deleteUserRoutes,
  manageUserRoutes,
  userListRoutes,
} from './managed-users/managed-users.routes.ts';
import { ownAccessRoutes } from './own-access/own-access.routes.ts';
import { changePasswordRoutes, setPasswordRoutes } from './passwords/passwords.routes.ts';
import { linkRoutes, ownProofRoutes } from './proofs/proofs.routes.ts';
import { referralRoutes } from './referrals/referrals.routes.ts';
import {
  adminLogoutRoutes,
  loginRoutes,
  logoutRoutes,
  sessionRoutes,
} from './sessions/sessions.routes.ts';
import { signupRoutes } from './signups/signups.routes.ts';
import { timelineRoutes } from './timeline/timeline.routes.ts';
import { toggleDeliveryRoutes } from './users/toggle-delivery.routes.ts';
import { internalUserRoutes, meRoutes } from './users/users.routes.ts';

interface AppOptions {
  deps: AccountsDeps;
  identityPublicKeys: string;
  logLevel: LogLevel;
  readiness: ReadinessChecks;
}

export async function buildApp({ deps, ...options }: AppOptions): Promise<Server> {
  const app = await createServer({ name: 'accounts', ...options });
  registerIdentity(app, options.identityPublicKeys, 'accounts');
  expectEndpoints(app, accountsApi);
  signupRoutes(app, deps);
  loginRoutes(app, deps);
  setPasswordRoutes(app, deps);
  linkRoutes(app, deps);
  contactRoutes(app, deps);
  invitationRoutes(app, deps);
  await app.register(async (scope) => logoutRoutes(scope, deps));
  await app.register(async (scope) => adminLogoutRoutes(scope, deps));
  await app.register(async (scope) => changePasswordRoutes(scope, deps));
  await app.register(async (scope) => ownProofRoutes(scope, deps));
  await app.register(async (scope) => meRoutes(scope, deps));
  await app.register(async (scope) => toggleDeliveryRoutes(scope, deps));
  await app.register(async (scope) => consentRoutes(scope, deps));
  await app.register(async (scope) => referralRoutes(scope, deps));
  await app.register(async (scope) => supportRoutes(scope, deps));
  await app.register(async (scope) => inboxRoutes(scope, deps));
  await app.register(async (scope) => inboxActionRoutes(scope, deps));
  await app.register(async (scope) => deletionRoutes(scope, deps));
  await app.register(async (scope) => exportRoutes(scope, deps));
  await app.register(async (scope) => ownAccessRoutes(scope, deps));
  await app.register(async (scope) => adminAccountRoutes(scope, deps));
  await app.register(async (scope) => auditLogRoutes(scope, deps));
  await app.register(async (scope) => userListRoutes(scope, deps));
  await app.register(async (scope) => manageUserRoutes(scope, deps));
  await app.register(async (scope) => deleteUserRoutes(scope, deps));
  await app.register(async (scope) => timelineRoutes(scope, deps));
  await app.register(async (scope) => internalUserRoutes(scope, deps));
  await app.register(async (scope) => sessionRoutes(scope, deps));
  registerParked(app, 'accounts', {
    ...deps,
    sources: [parkedEvents(subscriptions(deps)), parkedMails<AccountsDatabase>()],
    record: (trx, { ip, request_id, ...actor }, deed, now) =>
      recordAudit(trx, now, { actor, ip, request_id, ...deed }),
  });
  return app;
}
