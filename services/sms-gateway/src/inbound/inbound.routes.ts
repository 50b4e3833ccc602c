import { smsGatewayApi } from '@daylift/contracts/sms-gateway.api';
import type { Server } from '@daylift/server/create-server';
import { NotFound } from '@daylift/server/error';
import { implement } from '@daylift/server/implement';
import type { SmsDeps } from '../deps.ts';
import { findAnswers } from './answers.ts';
import { findReply } from './inbound.repository.ts';

/** Replies and their state, for the inbox of accounts. */
export function inboundRoutes(app: Server, { db }: SmsDeps): void {
  implement(app, smsGatewayApi, {
    'GET /internal/inbound/:id': async (request) => {
      const reply = await findReply(db, request.params.id);
      if (reply === null) throw new NotFound('Reply not found.');
      return reply;
    },
    'GET /internal/answers': (request) => findAnswers(db, request.query.ids.split(',')),
  });
}
