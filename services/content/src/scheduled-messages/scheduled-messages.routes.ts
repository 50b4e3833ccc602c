import { contentApi } from '@daylift/contracts/content.api';
import { actingAdmin } from '@daylift/server/acting-admin';
import type { Server } from '@daylift/server/create-server';
import { implement } from '@daylift/server/implement';
import type { ContentDeps } from '../deps.ts';
import { UnknownMessage } from '../errors.ts';
import { readCalendar } from './calendar.ts';
import { findWithProgress, listMessages, type Progress } from './progress.repository.ts';
import { view } from './scheduled-message-view.ts';
import { deleteMessage, scheduleMessage, updateMessage } from './scheduled-messages.actions.ts';

const noProgress: Progress = { total: 0, successful: 0, failed: 0, pending: 0 };

export function scheduledMessageRoutes(app: Server, deps: ContentDeps): void {
  implement(app, contentApi, {
    'GET /admin/scheduled-messages': async (request) => {
      const { rows, total } = await listMessages(deps.db, request.query);
      return { rows: rows.map((row) => view(row, row)), total };
    },
    'GET /admin/scheduled-messages/calendar': (request) => readCalendar(deps, request.query.days),
    'POST /admin/scheduled-messages': async (request) =>
      view(await scheduleMessage(deps, request.body, actingAdmin(request)), noProgress),
    'PUT /admin/scheduled-messages/:id': async (request) => {
      const { id } = request.params;
      await updateMessage(deps, id, request.body, actingAdmin(request));
      const row = await findWithProgress(deps.db, id);
      if (row === undefined) throw new UnknownMessage();
      return view(row, row);
    },
    'DELETE /admin/scheduled-messages/:id': (request) =>
      deleteMessage(deps, request.params.id, actingAdmin(request)),
  });
}
