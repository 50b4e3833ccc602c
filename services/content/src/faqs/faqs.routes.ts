import { FaqList } from '@daylift/contracts/content.http';
import type { Server } from '@daylift/server/create-server';
import type { ContentDeps } from '../deps.ts';

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
    const rows = await db.selectFrom('faqs').selectAll().orderBy('position').execute();
    reply.header('cache-control', 'public, max-age=60');
    return rows.map(({ id, question, answer }) => ({
      id,
      question: fill(question),
      answer: fill(answer),
    }));
  });
}
