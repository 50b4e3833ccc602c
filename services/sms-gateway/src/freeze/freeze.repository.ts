import { type Kysely, type RawBuilder, type Selectable, sql, type Transaction } from 'kysely';
import type { SmsDatabase } from '../database.ts';
import { pauseAtDeadline } from '../provider/send-pause.repository.ts';
import type { FreezeTable } from './freeze.table.ts';

type Db = Kysely<SmsDatabase>;
type Trx = Transaction<SmsDatabase>;
export type Freeze = Selectable<FreezeTable>;
/** Postgres error code for a lock timeout. */
const lockNotAvailable = '55P03';

export const findFreeze = (db: Db): Promise<Freeze> =>
  db.selectFrom('sending_freeze').selectAll().executeTakeFirstOrThrow();

/** Serializes freezes and lifts. Waits for no text, because marks take only a key lock. */
export const lockFreeze = (trx: Trx): Promise<Freeze> =>
  trx.selectFrom('sending_freeze').selectAll().forNoKeyUpdate().executeTakeFirstOrThrow();

/**
 * SQL for a statement that marks a text: the freeze has not changed since it was read. Takes the key lock that
 * `waitForMarks` waits for.
 */
export const isStillFreeze = (revision: number): RawBuilder<boolean> => sql<boolean>`exists (
  select 1 from sending_freeze f where f.revision = ${revision} for key share)`;

/** Waits until every mark already in progress has committed, at most `longestMs`. */
export async function waitForMarks(db: Db, maxMs: number): Promise<void> {
  try {
    await db.transaction().execute(async (trx) => {
      await sql`select set_config('lock_timeout', ${`${maxMs}ms`}, true)`.execute(trx);
      await trx.selectFrom('sending_freeze').select('revision').forUpdate().execute();
    });
  } catch (error) {
    if ((error as { code?: string }).code !== lockNotAvailable) throw error;
  }
}

export const isFrozen = ({ frozen_at, lifted_at }: Freeze): boolean =>
  frozen_at !== null && lifted_at === null;

/** SQL: whether all sending is frozen. */
export const sendingIsFrozen: RawBuilder<boolean> = sql<boolean>`exists (
  select 1 from sending_freeze where frozen_at is not null and lifted_at is null)`;

/** SQL: the last window of `texts` closed while sending was frozen. */
const frozenAtDeadline: RawBuilder<boolean> = sql<boolean>`exists (
  select 1 from sending_freeze where frozen_at <= texts.deadline_at
    and (lifted_at is null or lifted_at >= texts.deadline_at))`;

/** SQL: the batch of `texts` is stopped. */
const stoppedBatch = sql<string | null>`(
  select 'batch_stopped' from batches where id = texts.batch_id and stopped_at is not null)`;

/** SQL: why `texts` was missed. Its windows have closed. */
export const missedReason: RawBuilder<string> = sql<string>`case when ${frozenAtDeadline} then 'frozen'
  else coalesce(texts.reason, ${pauseAtDeadline}, ${stoppedBatch}, 'windows_closed') end`;

/** SQL: since when a scheduled text has been due, however often it was postponed. */
export const dueSince = (alias = 'texts'): RawBuilder<Date | null> =>
  sql`coalesce(${sql.ref(`${alias}.due_since`)}, ${sql.ref(`${alias}.due_at`)})`;

/** SQL: the queued text was abandoned when a freeze was lifted. Transactional texts, which have no `due_at`, never are. */
export const isAbandoned = (alias = 'texts'): RawBuilder<boolean | null> =>
  sql`(${sql.ref(`${alias}.due_at`)} is not null
    and ${dueSince(alias)} <= (select skipped_until from sending_freeze))`;

export async function saveFreeze(
  trx: Trx,
  freeze: { frozen_at: Date; frozen_by: string; reason: string | null },
): Promise<void> {
  await trx
    .updateTable('sending_freeze')
    .set({ ...freeze, lifted_at: null, revision: sql`revision + 1` })
    .execute();
}

export async function saveLift(
  trx: Trx,
  lift: { lifted_at: Date; skipped_until?: Date },
): Promise<void> {
  await trx
    .updateTable('sending_freeze')
    .set({ ...lift, revision: sql`revision + 1` })
    .execute();
}
