import type { SequenceText } from '@daylift/contracts/content.events';
import type { Db, Trx } from '../database.ts';

export const listSequenceTexts = (db: Db): Promise<SequenceText[]> =>
  db.selectFrom('sequence_texts').selectAll().orderBy('day').execute();

export const lockSequenceText = (trx: Trx, id: string): Promise<SequenceText | undefined> =>
  trx.selectFrom('sequence_texts').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();

/** Stores the next version; the caller publishes it. */
export const changeSequenceText = (
  trx: Trx,
  id: string,
  change: Pick<SequenceText, 'content' | 'is_active'>,
): Promise<SequenceText> =>
  trx
    .updateTable('sequence_texts')
    .set((set) => ({ ...change, version: set('version', '+', 1) }))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
