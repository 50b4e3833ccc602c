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

/** Returns welcomes and consent requests that went only to the test number and are still useful to their recipients. */
export function findTestedFirstTexts(trx: Transaction<SmsDatabase>, now: Date) {
  return trx
    .selectFrom('texts')
    .leftJoin('recipients', 'recipients.user_id', 'texts.user_id')
    .select(['id', 'local_date', 'content', 'texts.user_id', 'reply_to', 'deadline_at', 'timezone'])
    .select((select) => select.ref('kind').$castTo<'welcome' | 'consent_request'>().as('kind'))
    .where('is_test', '=', true)
    .where('kind', 'in', ['welcome', 'consent_request'])
    .where('deadline_at', '>', now)
    .where((where) =>
      where.or([
        where('state', 'in', [
          'inflight',
          'unknown',
          'accepted',
          'sent',
          'failed',
          'refused',
          'delivered',
        ]),
        // The provider knew a STOP of the test number.
        where.and({ state: 'skipped', reason: 'opted_out' }),
      ]),
    )
    .where(sql<boolean>`exists (select from own_text_keys where text_id = texts.id)`)
    .execute();
}

/** Lets new texts take over the keys of others. */
export async function moveKeys(
  trx: Transaction<SmsDatabase>,
  moves: { from: string; to: string }[],
): Promise<void> {
  await sql`update own_text_keys set text_id = moved.to_id
    from unnest(${moves.map(({ from }) => from)}::text[], ${moves.map(({ to }) => to)}::text[])
      as moved (from_id, to_id)
    where own_text_keys.text_id = moved.from_id`.execute(trx);
}
