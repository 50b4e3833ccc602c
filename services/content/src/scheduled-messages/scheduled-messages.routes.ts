import {
  CreateScheduledMessageRequest,
  ScheduledMessage,
  ScheduledMessageList,
} from '@daylift/contracts/content.http';
import { ErrorBody } from '@daylift/contracts/error';
import { IdParams } from '@daylift/contracts/fields';
import {
  CalendarQuery,
  ContentCalendar,
  ScheduledMessageQuery,
  UpdateScheduledMessageRequest,
} from '@daylift/contracts/scheduled-messages.http';
import { actingAdmin } from '@daylift/server/acting-admin';
import type { Server } from '@daylift/server/create-server';
import { requireAdmin } from '@daylift/server/identity';
import { Type } from 'typebox';
import type { ContentDeps } from '../deps.ts';
import { UnknownMessage } from '../errors.ts';
import { readCalendar } from './calendar.ts';
import { findWithProgress, listMessages, type Progress } from './progress.repository.ts';
import { view } from './scheduled-message-view.ts';
import { deleteMessage, scheduleMessage, updateMessage } from './scheduled-messages.actions.ts';

const refusals = { 400: ErrorBody, 401: ErrorBody, 403: ErrorBody };
const noProgress: Progress = { total: 0, successful: 0, failed: 0, pending: 0 };

export async function scheduledMessageListRoutes(app: Server, deps: ContentDeps): Promise<void> {
  app.addHook('onRequest', requireAdmin('viewer'));
  app.get(
    '/admin/scheduled-messages',
    {
      schema: {
        querystring: ScheduledMessageQuery,
        response: { 200: ScheduledMessageList, ...refusals },
      },
    },
    async (request, reply) => {
      const { rows, total } = await listMessages(deps.db, request.query);
      reply.header('x-total-count', total);
      return rows.map((row) => view(row, row));
    },
  );
  app.get(
    '/admin/scheduled-messages/calendar',
    { schema: { querystring: CalendarQuery, response: { 200: ContentCalendar, ...refusals } } },
    (request) => readCalendar(deps, request.query.days),
  );
}

export async function scheduledMessageRoutes(app: Server, deps: ContentDeps): Promise<void> {
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
      return view(await scheduleMessage(deps, request.body, actingAdmin(request)), noProgress);
    },
  );
  app.put(
    '/admin/scheduled-messages/:id',
    {
      schema: {
        params: IdParams,
        body: UpdateScheduledMessageRequest,
        response: { 200: ScheduledMessage, ...refusals, 404: ErrorBody, 409: ErrorBody },
      },
    },
    async (request) => {
      const { id } = request.params;
      await updateMessage(deps, id, request.body, actingAdmin(request));
      const row = await findWithProgress(deps.db, id);
      if (row === undefined) throw new UnknownMessage();
      return view(row, row);
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
