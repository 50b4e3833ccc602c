import { accountsApi } from '@daylift/contracts/accounts.api';
import { registerFailed } from '@daylift/events/failed/failed.routes';
import { failedEvents } from '@daylift/events/failed/failed-events';
import { failedMails } from '@daylift/mail/failed-mails';
import type { Server } from '@daylift/server/create-server';
import { type AppSettings, createServiceServer } from '@daylift/server/implement';
import { adminAccountRoutes } from './admin-account/admin-account.routes.ts';
import { adminRoutes } from './admins/admins.routes.ts';
import { recordAudit } from './audit-log/audit.ts';
import { auditLogRoutes } from './audit-log/audit-log.routes.ts';
import { consentRoutes } from './consents/consents.routes.ts';
import { consumers } from './consumers.ts';
import type { AccountsDatabase } from './database.ts';
import { deletionRoutes } from './deletions/deletions.routes.ts';
import type { AccountsDeps, SessionDeps } from './deps.ts';
import { exportRoutes } from './exports/exports.routes.ts';
import { inboxRoutes } from './inbox/inbox.routes.ts';
import { supportRoutes } from './inbox/messages.routes.ts';
import { managedUserRoutes } from './managed-users/managed-users.routes.ts';
import { passwordRoutes } from './passwords/passwords.routes.ts';
import { proofRoutes } from './proofs/proofs.routes.ts';
import { referralRoutes } from './referrals/referrals.routes.ts';
import { savedReplyRoutes } from './saved-replies/saved-replies.routes.ts';
import { sessionRoutes } from './sessions/sessions.routes.ts';
import { registerTokens } from './sessions/tokens.ts';
import { settingsRoutes } from './settings/settings.routes.ts';
import { signupRoutes } from './signups/signups.routes.ts';
import { timelineRoutes } from './timeline/timeline.routes.ts';
import { userRoutes } from './users/users.routes.ts';

export async function buildApp(accountsDeps: AccountsDeps, settings: AppSettings): Promise<Server> {
  const app = createServiceServer(accountsApi, settings);
  const tokens = await registerTokens(app, accountsDeps.jwtPrivateKey);
  const deps: SessionDeps = Object.assign(accountsDeps, { tokens });
  signupRoutes(app, deps);
  sessionRoutes(app, deps);
  passwordRoutes(app, deps);
  settingsRoutes(app, deps);
  proofRoutes(app, deps);
  consentRoutes(app, deps);
  referralRoutes(app, deps);
  exportRoutes(app, deps);
  deletionRoutes(app, deps);
  supportRoutes(app, deps);
  inboxRoutes(app, deps);
  savedReplyRoutes(app, deps);
  adminAccountRoutes(app, deps);
  adminRoutes(app, deps);
  auditLogRoutes(app, deps);
  managedUserRoutes(app, deps);
  timelineRoutes(app, deps);
  userRoutes(app, deps);
  registerFailed(app, 'accounts', {
    ...deps,
    sources: [failedEvents(consumers(deps)), failedMails<AccountsDatabase>()],
    record: (trx, { ip, request_id, ...actor }, adminAction, now) =>
      recordAudit(trx, now, { actor, ip, request_id, ...adminAction }),
  });
  return app;
}
