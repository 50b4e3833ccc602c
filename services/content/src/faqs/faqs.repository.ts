import type { EditableFaq } from '@daylift/contracts/library.http';
import { type Selectable, sql } from 'kysely';
import type { Db, FaqsTable, Trx } from '../database.ts';

type StoredFaq = Selectable<FaqsTable>;

/** Returns the questions in display order. */
export function listFaqs(db: Db): Promise<EditableFaq[]> {
  return db
    .selectFrom('faqs')
    .select(['id', 'version', 'question', 'answer'])
    .orderBy('position')
    .orderBy('id')
    .execute();
}

/** Serializes changes of the list; reads don't wait. */
export async function lockFaqs(trx: Trx): Promise<StoredFaq[]> {
  await sql`lock table faqs in share row exclusive mode`.execute(trx);
  return trx.selectFrom('faqs').selectAll().orderBy('position').orderBy('id').execute();
}

export function insertFaq(trx: Trx, faq: StoredFaq): Promise<StoredFaq> {
  return trx.insertInto('faqs').values(faq).returningAll().executeTakeFirstOrThrow();
}

export function changeFaq(
  trx: Trx,
  id: string,
  change: Pick<StoredFaq, 'question' | 'answer'>,
): Promise<StoredFaq> {
  return trx
    .updateTable('faqs')
    .set((set) => ({ ...change, version: set('version', '+', 1) }))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

export async function removeFaq(trx: Trx, id: string): Promise<void> {
  await trx.deleteFrom('faqs').where('id', '=', id).execute();
}

export async function placeFaqs(trx: Trx, ids: string[]): Promise<void> {
  await sql`update faqs set position = placed.position
    from unnest(${ids}::uuid[]) with ordinality as placed (id, position)
    where faqs.id = placed.id`.execute(trx);
}
