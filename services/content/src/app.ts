import { contentApi } from '@daylift/contracts/content.api';
import { publishAdminAction } from '@daylift/events/admin-actions';
import { registerParked } from '@daylift/events/parked/parked.routes';
import { parkedEvents } from '@daylift/events/parked/parked-events';
import { createServer, type Server } from '@daylift/server/create-server';
import type { ReadinessChecks } from '@daylift/server/health';
import { registerIdentity } from '@daylift/server/identity';
import { expectEndpoints } from '@daylift/server/implement';
import type { LogLevel } from '@daylift/server/logger';
import { subscriptions } from './consumers.ts';
import type { ContentDeps } from './deps.ts';
import { faqRoutes } from './faqs/faqs.routes.ts';
import { figuresRoutes } from './figures/figures.routes.ts';
import { importRoutes } from './imports/imports.routes.ts';
import { scheduledMessageRoutes } from './scheduled-messages/scheduled-messages.routes.ts';
import { templateRoutes } from './templates/templates.routes.ts';

interface AppOptions {
  logLevel: LogLevel;
  identityPublicKeys: string;
  readiness: ReadinessChecks;
}

/** The map of what this service answers. */
export async function buildApp(deps: ContentDeps, options: AppOptions): Promise<Server> {
  const app = await createServer({
    name: 'content',
    logLevel: options.logLevel,
    readiness: options.readiness,
  });
  registerIdentity(app, options.identityPublicKeys, 'content');
  expectEndpoints(app, contentApi);
  faqRoutes(app, deps);
  scheduledMessageRoutes(app, deps);
  importRoutes(app, deps);
  templateRoutes(app, deps);
  figuresRoutes(app, deps);
  registerParked(app, 'content', {
    ...deps,
    sources: [parkedEvents(subscriptions)],
    record: (trx, by, deed, now) => publishAdminAction(trx, 'content', by, deed, now),
  });
  return app;
}
