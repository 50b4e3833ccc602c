import {
  CreateScheduledMessageRequest,
  ScheduledMessage,
  ScheduledMessageList,
} from '@daylift/contracts/content.http';
import { ErrorBody } from '@daylift/contracts/error';
import { IdParams, Page } from '@daylift/contracts/fields';
import { actingAdmin } from '@daylift/server/acting-admin';
import type { Server } from '@daylift/server/create-server';
import { requireAdmin } from '@daylift/server/identity';
import { Type } from 'typebox';
import type { ContentDeps } from '../deps.ts';
import { deleteMessage, scheduleMessage } from './scheduled-messages.actions.ts';
import {
  listMessages,
  type Progress,
  type StoredMessage,
} from './scheduled-messages.repository.ts';

type Deps = Pick<ContentDeps, 'db' | 'clock'>;

const refusals = { 400: ErrorBody, 401: ErrorBody, 403: ErrorBody };
const none: Progress = { total: 0, successful: 0, failed: 0, pending: 0 };

const view = (row: StoredMessage, progress: Progress): ScheduledMessage => ({
  id: row.id,
  title: row.title,
  content: row.content,
  scheduled_date: row.scheduled_date,
  scheduled_time: row.scheduled_time,
  category: row.category,
  is_sent: row.sent_at !== null,
  sent_at: row.sent_at?.toISOString() ?? null,
  total_recipients: progress.total,
  successful_sends: progress.successful,
  failed_sends: progress.failed,
  pending_sends: progress.pending,
  created_at: row.created_at.toISOString(),
});

export async function scheduledMessageListRoutes(app: Server, { db }: Deps): Promise<void> {
  app.addHook('onRequest', requireAdmin('viewer'));
  app.get(
    '/admin/scheduled-messages',
    { schema: { querystring: Page, response: { 200: ScheduledMessageList, ...refusals } } },
    async (request, reply) => {
      const { rows, total } = await listMessages(db, request.query);
      reply.header('x-total-count', total);
      return rows.map((row) => view(row, row));
    },
  );
}

export async function scheduledMessageRoutes(app: Server, deps: Deps): Promise<void> {
  app.addHook('onRequest', requireAdmin('operator'));
  app.post(
    '/admin/scheduled-messages',
    {
      schema: {
        body: CreateScheduledMessageRequest,
        response: { 201: ScheduledMessage, ...refusals, 409: ErrorBody },
      },
    },
    async (request, reply) => {
      reply.code(201);
      return view(await scheduleMessage(deps, request.body, actingAdmin(request)), none);
    },
  );
  app.delete(
    '/admin/scheduled-messages/:id',
    {
      schema: {
        params: IdParams,
        response: { 204: Type.Null(), ...refusals, 404: ErrorBody, 409: ErrorBody },
      },
    },
    async (request, reply) => {
      await deleteMessage(deps, request.params.id, actingAdmin(request));
      reply.code(204);
      return null;
    },
  );
}
