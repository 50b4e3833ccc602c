import { ErrorBody } from '@daylift/contracts/error';
import { AnswerTexts, AnswerTextsQuery, InboundReply } from '@daylift/contracts/inbox.http';
import type { Server } from '@daylift/server/create-server';
import { NotFound } from '@daylift/server/error';
import { requireService } from '@daylift/server/identity';
import { Type } from 'typebox';
import type { SmsDeps } from '../deps.ts';
import { findAnswers } from './answers.ts';
import { findReply } from './replies-to-read.ts';

const refusals = { 400: ErrorBody, 401: ErrorBody, 403: ErrorBody };
const Params = Type.Object({ id: Type.String({ maxLength: 300 }) });

/** What the inbox of accounts asks. */
export async function registerInbox(app: Server, { db }: SmsDeps): Promise<void> {
  app.addHook('onRequest', requireService);
  app.get(
    '/internal/inbound/:id',
    { schema: { params: Params, response: { 200: InboundReply, 404: ErrorBody, ...refusals } } },
    async (request) => {
      const reply = await findReply(db, request.params.id);
      if (reply === null) throw new NotFound('Reply not found.');
      return reply;
    },
  );
  app.get(
    '/internal/answers',
    { schema: { querystring: AnswerTextsQuery, response: { 200: AnswerTexts, ...refusals } } },
    async (request) => findAnswers(db, request.query.ids.split(',')),
  );
}
