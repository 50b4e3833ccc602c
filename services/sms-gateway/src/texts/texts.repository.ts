import type { Insertable, Kysely, Selectable, Transaction } from 'kysely';
import type { SmsDatabase } from '../database.ts';
import type { TextsTable } from './texts.table.ts';

export type Text = Selectable<TextsTable>;
export type TextKey = Pick<Text, 'id' | 'local_date'>;

export function lockText(trx: Transaction<SmsDatabase>, key: TextKey): Promise<Text | undefined> {
  return trx
    .selectFrom('texts')
    .selectAll()
    .where('id', '=', key.id)
    .where('local_date', '=', key.local_date)
    .forUpdate()
    .executeTakeFirst();
}

/** Skips texts that exist. Returns the ids of the others. */
export async function insertTexts(
  trx: Transaction<SmsDatabase>,
  texts: Insertable<TextsTable>[],
): Promise<string[]> {
  const fresh = await trx
    .insertInto('texts')
    .values(texts)
    .onConflict((conflict) => conflict.columns(['id', 'local_date']).doNothing())
    .returning('id')
    .execute();
  return fresh.map(({ id }) => id);
}

/** Returns those of the texts that are settled. */
export function findSettled(db: Kysely<SmsDatabase>, keys: TextKey[]) {
  return db
    .selectFrom('texts')
    .select(['id', 'user_id', 'local_date', 'batch_id', 'scheduled_message_id', 'is_test'])
    .select(['state', 'reason'])
    .where(
      'id',
      'in',
      keys.map(({ id }) => id),
    )
    .where('local_date', 'in', [...new Set(keys.map(({ local_date }) => local_date))])
    .where('settled_at', 'is not', null)
    .execute();
}
