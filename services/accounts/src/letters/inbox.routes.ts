import { ErrorBody } from '@daylift/contracts/error';
import { IdParams } from '@daylift/contracts/fields';
import { AnswerRequest, Conversation, InboxPage, InboxQuery } from '@daylift/contracts/inbox.http';
import { actingAdmin } from '@daylift/server/acting-admin';
import type { Server } from '@daylift/server/create-server';
import { NotFound } from '@daylift/server/error';
import { adminOf, requireAdmin } from '@daylift/server/identity';
import type { FastifyRequest } from 'fastify';
import type { AccountsDeps } from '../deps.ts';
import { takeEmptyBody } from '../users/empty-body.ts';
import { seesContacts } from '../users/user-views.ts';
import { answerConversation, setConversationState } from './inbox.actions.ts';
import { countOpen, findConversation, listConversations } from './inbox.repository.ts';
import { itemOf, readConversation } from './inbox.views.ts';

const refusals = { 400: ErrorBody, 401: ErrorBody, 403: ErrorBody };

const masks = (request: FastifyRequest): boolean => !seesContacts(adminOf(request).role);

async function answerWith(
  deps: AccountsDeps,
  id: string,
  request: FastifyRequest,
): Promise<Conversation> {
  const row = await findConversation(deps.db, id);
  if (row === undefined) throw new NotFound('Conversation not found.');
  return readConversation(deps, row, masks(request));
}

export function inboxRoutes(app: Server, deps: AccountsDeps): void {
  app.addHook('onRequest', requireAdmin('viewer'));

  app.get(
    '/admin/inbox',
    { schema: { querystring: InboxQuery, response: { 200: InboxPage, ...refusals } } },
    async (request) => {
      const { query } = request;
      const masked = masks(request);
      const [rows, open] = await Promise.all([
        listConversations(deps.db, { ...query, masked }),
        countOpen(deps.db),
      ]);
      const items = rows.slice(0, query.limit).map((row) => itemOf(row, masked));
      return { items, more: rows.length > query.limit, open };
    },
  );

  app.get(
    '/admin/inbox/:id',
    {
      schema: {
        params: IdParams,
        response: { 200: Conversation, 404: ErrorBody, ...refusals },
      },
    },
    async (request) => answerWith(deps, request.params.id, request),
  );
}

export function inboxActionRoutes(app: Server, deps: AccountsDeps): void {
  app.addHook('onRequest', requireAdmin('operator'));
  takeEmptyBody(app);
  const response = { 200: Conversation, 404: ErrorBody, ...refusals };

  app.post(
    '/admin/inbox/:id/answer',
    {
      schema: {
        params: IdParams,
        body: AnswerRequest,
        response: { ...response, 409: ErrorBody },
      },
    },
    async (request) => {
      const { id } = request.params;
      await answerConversation(deps, id, request.body, actingAdmin(request));
      return answerWith(deps, id, request);
    },
  );

  for (const [path, state] of [
    ['close', 'closed'],
    ['reopen', 'open'],
  ] as const)
    app.post(
      `/admin/inbox/:id/${path}`,
      { schema: { params: IdParams, response } },
      async (request) => {
        const { id } = request.params;
        await setConversationState(deps, id, state, actingAdmin(request));
        return answerWith(deps, id, request);
      },
    );
}
