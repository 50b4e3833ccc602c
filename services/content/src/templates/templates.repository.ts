import type { TemplateQuery } from '@daylift/contracts/library.http';
import type { Selectable } from 'kysely';
import { sql } from 'kysely';
import type { Db, TemplatesTable, Trx } from '../database.ts';
import { contains } from '../words/search.ts';

export type StoredTemplate = Selectable<TemplatesTable>;
export type TemplateFields = Pick<
  StoredTemplate,
  'title' | 'content' | 'category' | 'frequency' | 'scheduled_time' | 'tags' | 'is_active'
>;

export async function listTemplates(
  db: Db,
  query: TemplateQuery,
): Promise<{ rows: StoredTemplate[]; total: number }> {
  const matching = filtered(db, query);
  const [rows, count] = await Promise.all([
    matching
      .selectAll()
      .orderBy('title')
      .orderBy('id')
      .limit(query.limit)
      .offset(query.offset)
      .execute(),
    matching.select((select) => select.fn.countAll<number>().as('total')).executeTakeFirstOrThrow(),
  ]);
  return { rows, total: count.total };
}

const filtered = (db: Db, { status, search }: TemplateQuery) =>
  db
    .selectFrom('templates')
    .where('deleted_at', 'is', null)
    .$if(status !== undefined, (query) => query.where('is_active', '=', status === 'active'))
    .$if(search !== undefined, (query) => {
      const pattern = contains(search ?? '');
      return query.where((where) =>
        where.or([
          where('title', 'ilike', pattern),
          where('content', 'ilike', pattern),
          sql<boolean>`array_to_string(tags, ' ') ilike ${pattern}`,
        ]),
      );
    });

export async function countTemplates(db: Db): Promise<{ total: number; active: number }> {
  return db
    .selectFrom('templates')
    .select((select) => [
      select.fn.countAll<number>().as('total'),
      select.fn.countAll<number>().filterWhere('is_active', '=', true).as('active'),
    ])
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow();
}

export function insertTemplate(trx: Trx, template: StoredTemplate): Promise<StoredTemplate> {
  return trx.insertInto('templates').values(template).returningAll().executeTakeFirstOrThrow();
}

/** Returns identical content created since then. */
export function findDuplicateTemplate(
  trx: Trx,
  { title, content }: TemplateFields,
  since: Date,
): Promise<StoredTemplate | undefined> {
  return trx
    .selectFrom('templates')
    .selectAll()
    .where('title', '=', title)
    .where('content', '=', content)
    .where('created_at', '>=', since)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
}

export function lockTemplate(trx: Trx, id: string): Promise<StoredTemplate | undefined> {
  return trx
    .selectFrom('templates')
    .selectAll()
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .forUpdate()
    .executeTakeFirst();
}

/** Stores the next version; the caller publishes it. */
export function changeTemplate(
  trx: Trx,
  id: string,
  change: Partial<TemplateFields & Pick<StoredTemplate, 'deleted_at'>>,
): Promise<StoredTemplate> {
  return trx
    .updateTable('templates')
    .set((set) => ({
      ...change,
      version: set('version', '+', 1),
      published_version: set('version', '+', 1),
    }))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Claims templates whose latest version is unpublished, skipping rows locked by other replicas. */
export async function claimUnpublished(trx: Trx, limit: number): Promise<StoredTemplate[]> {
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
