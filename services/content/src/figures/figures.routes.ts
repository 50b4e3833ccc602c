import { contentApi } from '@daylift/contracts/content.api';
import type { ContentFigures } from '@daylift/contracts/content.http';
import type { Server } from '@daylift/server/create-server';
import { implement } from '@daylift/server/implement';
import type { ContentDeps } from '../deps.ts';
import { dateIn } from '../scheduled-messages/scheduled-date.ts';
import { countTemplates } from '../templates/templates.repository.ts';
import { countMessages, findDailyMessage } from './figures.repository.ts';

export function figuresRoutes(app: Server, deps: ContentDeps): void {
  implement(app, contentApi, {
    'GET /internal/analytics/content': () => readFigures(deps),
    'GET /internal/live': () => readFigures(deps),
  });
}

async function readFigures({ db, clock, operatorTimeZone }: ContentDeps): Promise<ContentFigures> {
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
}
