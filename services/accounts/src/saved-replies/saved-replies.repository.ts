import type { Selectable } from 'kysely';
import type { Db, Trx } from '../database.ts';
import type { SavedRepliesTable } from './saved-replies.table.ts';

export type SavedReplyRow = Selectable<SavedRepliesTable>;

export const maxSavedReplies = 100;

export function listSavedReplies(db: Db): Promise<SavedReplyRow[]> {
  return db
    .selectFrom('saved_replies')
    .selectAll()
    .orderBy('title')
    .orderBy('id')
    .limit(maxSavedReplies)
    .execute();
}

export async function countSavedReplies(trx: Trx): Promise<number> {
  const row = await trx
    .selectFrom('saved_replies')
    .select((select) => select.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return row.count;
}

export async function putSavedReply(trx: Trx, row: SavedReplyRow): Promise<void> {
  await trx
    .insertInto('saved_replies')
    .values(row)
    .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
    .execute();
}

export async function hasSavedReply(trx: Trx, id: string): Promise<boolean> {
  const row = await trx
    .selectFrom('saved_replies')
    .select('id')
    .where('id', '=', id)
    .executeTakeFirst();
  return row !== undefined;
}

/** Returns false if it didn't exist. */
export async function deleteSavedReply(trx: Trx, id: string): Promise<boolean> {
  const deleted = await trx.deleteFrom('saved_replies').where('id', '=', id).executeTakeFirst();
  return deleted.numDeletedRows > 0n;
}
