import { contentApi } from '@daylift/contracts/content.api';
import { publishAdminAction } from '@daylift/events/admin-actions';
import { registerParked } from '@daylift/events/parked/parked.routes';
import { parkedEvents } from '@daylift/events/parked/parked-events';
import type { Server } from '@daylift/server/create-server';
import { type AppSettings, createServiceServer } from '@daylift/server/implement';
import { consumers } from './consumers.ts';
import type { ContentDeps } from './deps.ts';
import { faqRoutes } from './faqs/faqs.routes.ts';
import { figuresRoutes } from './figures/figures.routes.ts';
import { importRoutes } from './imports/imports.routes.ts';
import { scheduledMessageRoutes } from './scheduled-messages/scheduled-messages.routes.ts';
import { templateRoutes } from './templates/templates.routes.ts';

export async function buildApp(deps: ContentDeps, settings: AppSettings): Promise<Server> {
  const app = await createServiceServer(contentApi, settings);
  faqRoutes(app, deps);
  scheduledMessageRoutes(app, deps);
  importRoutes(app, deps);
  templateRoutes(app, deps);
  figuresRoutes(app, deps);
  registerParked(app, 'content', {
    ...deps,
    sources: [parkedEvents(consumers())],
    record: (trx, by, deed, now) => publishAdminAction(trx, 'content', by, deed, now),
  });
  return app;
}
