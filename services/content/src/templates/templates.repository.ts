import type { Kysely, Selectable, Transaction } from 'kysely';
import type { ContentDatabase, TemplatesTable } from '../database.ts';

type Template = Selectable<TemplatesTable>;

export async function listTemplates(
  db: Kysely<ContentDatabase>,
  page: { limit: number; offset: number },
): Promise<{ rows: Template[]; total: number }> {
  const [rows, count] = await Promise.all([
    db
      .selectFrom('templates')
      .selectAll()
      .orderBy('title')
      .orderBy('id')
      .limit(page.limit)
      .offset(page.offset)
      .execute(),
    countTemplates(db),
  ]);
  return { rows, total: count.total };
}

export async function countTemplates(
  db: Kysely<ContentDatabase>,
): Promise<{ total: number; active: number }> {
  return db
    .selectFrom('templates')
    .select((select) => [
      select.fn.countAll<number>().as('total'),
      select.fn.countAll<number>().filterWhere('is_active', '=', true).as('active'),
    ])
    .executeTakeFirstOrThrow();
}

/** Those whose latest version nobody was told of; another replica leaves them alone meanwhile. */
export async function takeUnpublished(
  trx: Transaction<ContentDatabase>,
  limit: number,
): Promise<Template[]> {
  return trx
    .updateTable('templates')
    .set((set) => ({ published_version: set.ref('version') }))
    .where('id', 'in', (query) =>
      query
        .selectFrom('templates')
        .select('id')
        .whereRef('published_version', '<', 'version')
        .limit(limit)
        .forUpdate()
        .skipLocked(),
    )
    .returningAll()
    .execute();
}
