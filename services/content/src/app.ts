import { contentApi } from '@daylift/contracts/content.api';
import { publishAdminAction } from '@daylift/events/admin-actions';
import { registerFailed } from '@daylift/events/failed/failed.routes';
import { failedEvents } from '@daylift/events/failed/failed-events';
import type { Server } from '@daylift/server/create-server';
import { type AppSettings, createServiceServer } from '@daylift/server/implement';
import { consumers } from './consumers.ts';
import type { ContentDeps } from './deps.ts';
import { faqRoutes } from './faqs/faqs.routes.ts';
import { figuresRoutes } from './figures/figures.routes.ts';
import { importRoutes } from './imports/imports.routes.ts';
import { scheduledMessageRoutes } from './scheduled-messages/scheduled-messages.routes.ts';
import { sequenceRoutes } from './sequences/sequences.routes.ts';
import { templateRoutes } from './templates/templates.routes.ts';

export async function buildApp(deps: ContentDeps, settings: AppSettings): Promise<Server> {
  const app = createServiceServer(contentApi, settings);
  faqRoutes(app, deps);
  scheduledMessageRoutes(app, deps);
  importRoutes(app, deps);
  templateRoutes(app, deps);
  sequenceRoutes(app, deps);
  figuresRoutes(app, deps);
  registerFailed(app, 'content', {
    ...deps,
    sources: [failedEvents(consumers())],
    record: (trx, by, adminAction, now) => publishAdminAction(trx, 'content', by, adminAction, now),
  });
  return app;
}
