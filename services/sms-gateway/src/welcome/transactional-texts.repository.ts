import type { Kysely, Transaction } from 'kysely';
import type { SmsDatabase } from '../database.ts';
import type { TextState } from '../texts/text-states.ts';

/** Returns false if the key is already used. */
export async function insertKey(
  trx: Transaction<SmsDatabase>,
  key: string,
  textId: string,
  now: Date,
): Promise<boolean> {
  const fresh = await trx
    .insertInto('own_text_keys')
    .values({ key, text_id: textId, created_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .returning('key')
    .executeTakeFirst();
  return fresh !== undefined;
}

export async function isQueued(trx: Transaction<SmsDatabase>, key: string): Promise<boolean> {
  const row = await trx
    .selectFrom('own_text_keys')
    .select('key')
    .where('key', '=', key)
    .executeTakeFirst();
  return row !== undefined;
}

/** Returns the id of the text with this key if it waits for an instant after `at`. */
export async function findWaitingText(
  trx: Transaction<SmsDatabase>,
  key: string,
  at: Date,
): Promise<string | undefined> {
  const row = await trx
    .selectFrom('own_text_keys')
    .innerJoin('texts', 'texts.id', 'own_text_keys.text_id')
    .select('texts.id')
    .where('own_text_keys.key', '=', key)
    .where('texts.state', '=', 'queued')
    .where('texts.next_attempt_at', '>', at)
    .executeTakeFirst();
  return row?.id;
}

export function findStates(
  db: Kysely<SmsDatabase>,
  keys: string[],
): Promise<{ key: string; state: TextState }[]> {
  return db
    .selectFrom('own_text_keys')
    .innerJoin('texts', 'texts.id', 'own_text_keys.text_id')
    .select(['own_text_keys.key', 'texts.state'])
    .where('own_text_keys.key', 'in', keys)
    .execute();
}
