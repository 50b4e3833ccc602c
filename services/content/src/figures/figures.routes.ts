import { ContentFigures } from '@daylift/contracts/content.http';
import { ErrorBody } from '@daylift/contracts/error';
import type { Server } from '@daylift/server/create-server';
import { requireService } from '@daylift/server/identity';
import type { ContentDeps } from '../deps.ts';
import { dateIn } from '../scheduled-messages/scheduled-date.ts';
import { countTemplates } from '../templates/templates.repository.ts';
import { countMessages, findDailyMessage } from './figures.repository.ts';

export async function figuresRoutes(
  app: Server,
  { db, clock, operatorTimeZone }: ContentDeps,
): Promise<void> {
  app.addHook('onRequest', requireService);
  const schema = { response: { 200: ContentFigures, 401: ErrorBody, 403: ErrorBody } };
  const read = async () => {
    const today = dateIn(operatorTimeZone, clock.now()).toString();
    const [messages, templates, todays] = await Promise.all([
      countMessages(db),
      countTemplates(db),
      findDailyMessage(db, today),
    ]);
    return {
      scheduled_messages: {
        ...messages,
        todays_message: {
          date: today,
          exists: todays !== undefined,
          id: todays?.id ?? null,
          title: todays?.title ?? null,
          scheduled_time: todays?.scheduled_time ?? null,
          is_sent: todays !== undefined && todays.sent_at !== null,
        },
      },
      templates,
    };
  };
  app.get('/internal/analytics/content', { schema }, read);
  app.get('/internal/live', { schema }, read);
}
