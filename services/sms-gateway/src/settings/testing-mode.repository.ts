import { type Kysely, type Selectable, sql, type Transaction } from 'kysely';
import type { SmsDatabase } from '../database.ts';
import type { TestingModeTable } from './settings.table.ts';

export type TestingModeRow = Selectable<TestingModeTable>;
type Change = Pick<TestingModeRow, 'enabled' | 'test_phone' | 'enabled_at' | 'enabled_by'>;

export function findTestingMode(db: Kysely<SmsDatabase>): Promise<TestingModeRow> {
  return db.selectFrom('testing_mode').selectAll().executeTakeFirstOrThrow();
}

/** Waits for texts being marked now; later ones wait for the caller. */
export function lockTestingMode(trx: Transaction<SmsDatabase>): Promise<TestingModeRow> {
  return trx.selectFrom('testing_mode').selectAll().forUpdate().executeTakeFirstOrThrow();
}

export function changeTestingMode(
  trx: Transaction<SmsDatabase>,
  change: Change,
): Promise<TestingModeRow> {
  return trx
    .updateTable('testing_mode')
    .set({ ...change, revision: sql`revision + 1` })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/**
 * Sends welcomes and consent requests that went only to the test number again, to their recipients, if still useful.
 * The new text takes over the test's key; a newer request may hold it already.
 */
export async function repeatTestedFirstTexts(
  trx: Transaction<SmsDatabase>,
  now: Date,
): Promise<number> {
  const result = await sql`
    with tested as (
      select *, replace(local_date::text, '-', '') || '-' || replace(gen_random_uuid()::text, '-', '') as new_id
      from texts
      where is_test and kind in ('welcome', 'consent_request') and deadline_at > ${now}
        and state in ('inflight', 'unknown', 'accepted', 'sent', 'failed', 'delivered')
        and exists (select from own_text_keys where text_id = texts.id)
    ), moved as (
      update own_text_keys k set text_id = tested.new_id from tested where k.text_id = tested.id
    )
    insert into texts (id, local_date, kind, content, user_id, reply_to, windows, deadline_at, next_attempt_at, created_at)
    select new_id, local_date, kind, content, user_id, reply_to, windows, deadline_at, ${now}, ${now} from tested`.execute(
    trx,
  );
  return Number(result.numAffectedRows ?? 0n);
}
