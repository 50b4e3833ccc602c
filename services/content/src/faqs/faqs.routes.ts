import { contentApi } from '@daylift/contracts/content.api';
import { actingAdmin } from '@daylift/server/acting-admin';
import type { Server } from '@daylift/server/create-server';
import { implement } from '@daylift/server/implement';
import type { ContentDeps } from '../deps.ts';
import { createFaq, deleteFaq, orderFaqs, updateFaq } from './faqs.actions.ts';
import { listFaqs } from './faqs.repository.ts';

export function faqRoutes(app: Server, deps: ContentDeps): void {
  const { db, product } = deps;
  const fill = (text: string) =>
    text
      .replaceAll('{{product_name}}', product.name)
      .replaceAll('{{support_email}}', product.supportEmail);
  implement(app, contentApi, {
    'GET /faqs': async (_request, reply) => {
      // Caches revalidate before each use, so changes show immediately.
      reply.header('cache-control', 'public, no-cache');
      return (await listFaqs(db)).map(({ id, question, answer }) => ({
        id,
        question: fill(question),
        answer: fill(answer),
      }));
    },
    'GET /admin/faqs': () => listFaqs(db),
    'POST /admin/faqs': (request) => createFaq(deps, request.body, actingAdmin(request)),
    'PUT /admin/faqs/order': (request) => orderFaqs(deps, request.body.ids, actingAdmin(request)),
    'PUT /admin/faqs/:id': (request) =>
      updateFaq(deps, request.params.id, request.body, actingAdmin(request)),
    'DELETE /admin/faqs/:id': (request) => deleteFaq(deps, request.params.id, actingAdmin(request)),
  });
}
