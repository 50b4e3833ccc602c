import {
  type Insertable,
  type Kysely,
  type RawBuilder,
  type Selectable,
  sql,
  type Transaction,
} from 'kysely';
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
): Promise<Set<string>> {
  const fresh = await trx
    .insertInto('texts')
    .values(texts)
    .onConflict((conflict) => conflict.columns(['id', 'local_date']).doNothing())
    .returning('id')
    .execute();
  return new Set(fresh.map(({ id }) => id));
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

export function eraseTextsOf(trx: Transaction<SmsDatabase>, userId: string): Promise<number> {
  return eraseTexts(trx, sql`user_id = ${userId}`);
}

/** Returns how many texts still had personal data. */
export function eraseTextsOfDeletedSince(
  trx: Transaction<SmsDatabase>,
  since: Date,
): Promise<number> {
  return eraseTexts(
    trx,
    sql`user_id in (select user_id from recipients where deleted_at > ${since})`,
  );
}

async function eraseTexts(
  trx: Transaction<SmsDatabase>,
  ofWhom: RawBuilder<unknown>,
): Promise<number> {
  // A message written for everyone stays; a transactional text reveals what one person did.
  const erased =
    await sql`update texts set body = null, to_number = null, reply_to = null, pinned_hash = null, slot = null,
      content = case when kind in ('daily', 'announcement') then content else '' end
    where ${ofWhom} and state not in ('claimed', 'inflight')
      and (body is not null or to_number is not null or reply_to is not null or slot is not null
        or (content <> '' and kind not in ('daily', 'announcement')))`.execute(trx);
  return Number(erased.numAffectedRows ?? 0n);
}
