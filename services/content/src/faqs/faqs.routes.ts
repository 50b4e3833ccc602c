import { FaqList } from '@daylift/contracts/content.http';
import { ErrorBody } from '@daylift/contracts/error';
import { IdParams } from '@daylift/contracts/fields';
import {
  CreateFaqRequest,
  EditableFaq,
  EditableFaqList,
  OrderFaqsRequest,
  UpdateFaqRequest,
} from '@daylift/contracts/library.http';
import { actingAdmin } from '@daylift/server/acting-admin';
import type { Server } from '@daylift/server/create-server';
import { requireAdmin } from '@daylift/server/identity';
import { Type } from 'typebox';
import type { ContentDeps } from '../deps.ts';
import { createFaq, deleteFaq, orderFaqs, updateFaq } from './faqs.actions.ts';
import { listFaqs } from './faqs.repository.ts';

const refusals = { 400: ErrorBody, 401: ErrorBody, 403: ErrorBody };

/** Public, the same for everyone, without any input. */
export async function faqRoutes(
  app: Server,
  { db, product }: Pick<ContentDeps, 'db' | 'product'>,
): Promise<void> {
  const fill = (text: string) =>
    text
      .replaceAll('{{product_name}}', product.name)
      .replaceAll('{{support_email}}', product.supportEmail);
  app.get('/faqs', { schema: { response: { 200: FaqList } } }, async (_request, reply) => {
    // Whoever keeps it asks before they show it again, so that a change shows at once.
    reply.header('cache-control', 'public, no-cache');
    return (await listFaqs(db)).map(({ id, question, answer }) => ({
      id,
      question: fill(question),
      answer: fill(answer),
    }));
  });
}

/** As they are written is every admin's to read. */
export async function editableFaqRoutes(app: Server, { db }: ContentDeps): Promise<void> {
  app.addHook('onRequest', requireAdmin('viewer'));
  app.get(
    '/admin/faqs',
    { schema: { response: { 200: EditableFaqList, 401: ErrorBody, 403: ErrorBody } } },
    () => listFaqs(db),
  );
}

export async function faqEditingRoutes(app: Server, deps: ContentDeps): Promise<void> {
  app.addHook('onRequest', requireAdmin('operator'));
  app.post(
    '/admin/faqs',
    {
      schema: {
        body: CreateFaqRequest,
        response: { 201: EditableFaq, ...refusals, 409: ErrorBody },
      },
    },
    async (request, reply) => {
      reply.code(201);
      return createFaq(deps, request.body, actingAdmin(request));
    },
  );
  app.put(
    '/admin/faqs/order',
    {
      schema: {
        body: OrderFaqsRequest,
        response: { 200: EditableFaqList, ...refusals, 409: ErrorBody },
      },
    },
    (request) => orderFaqs(deps, request.body.ids, actingAdmin(request)),
  );
  app.put(
    '/admin/faqs/:id',
    {
      schema: {
        params: IdParams,
        body: UpdateFaqRequest,
        response: { 200: EditableFaq, ...refusals, 404: ErrorBody, 409: ErrorBody },
      },
    },
    (request) => updateFaq(deps, request.params.id, request.body, actingAdmin(request)),
  );
  app.delete(
    '/admin/faqs/:id',
    {
      schema: { params: IdParams, response: { 204: Type.Null(), ...refusals, 404: ErrorBody } },
    },
    async (request, reply) => {
      await deleteFaq(deps, request.params.id, actingAdmin(request));
      reply.code(204);
      return null;
    },
  );
}
