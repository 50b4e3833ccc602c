import { type Kysely, type RawBuilder, type Selectable, sql, type Transaction } from 'kysely';
import type { SmsDatabase } from '../database.ts';
import { pauseAtDeadline } from '../provider/send-pause.repository.ts';
import type { FreezeTable } from './freeze.table.ts';

type Db = Kysely<SmsDatabase>;
type Trx = Transaction<SmsDatabase>;
export type Freeze = Selectable<FreezeTable>;
/** Postgres' code for a lock that did not come in time. */
const lockNotAvailable = '55P03';

export const findFreeze = (db: Db): Promise<Freeze> =>
  db.selectFrom('sending_freeze').selectAll().executeTakeFirstOrThrow();

/** Whoever else freezes or lifts waits until the transaction ends. It waits for no text itself: they keep only the key. */
export const lockFreeze = (trx: Trx): Promise<Freeze> =>
  trx.selectFrom('sending_freeze').selectAll().forNoKeyUpdate().executeTakeFirstOrThrow();

/** Of a statement that marks a text: nobody has frozen or lifted since, and whoever waits for marks waits for this one. */
export const isStillFreeze = (revision: number): RawBuilder<boolean> => sql<boolean>`exists (
  select 1 from sending_freeze f where f.revision = ${revision} for key share)`;

/** Waits until every mark that was begun before now is made, but not long: one may be held up by whatever there is. */
export async function waitForMarks(db: Db, longestMs: number): Promise<void> {
  try {
    await db.transaction().execute(async (trx) => {
      await sql`select set_config('lock_timeout', ${`${longestMs}ms`}, true)`.execute(trx);
      await trx.selectFrom('sending_freeze').select('revision').forUpdate().execute();
    });
  } catch (error) {
    if ((error as { code?: string }).code !== lockNotAvailable) throw error;
  }
}

export const isFrozen = ({ frozen_at, lifted_at }: Freeze): boolean =>
  frozen_at !== null && lifted_at === null;

/** Whether all sending is stopped, for a statement that has no other reason to read the row. */
export const sendingIsFrozen: RawBuilder<boolean> = sql<boolean>`exists (
  select 1 from sending_freeze where frozen_at is not null and lifted_at is null)`;

/** Of a text `texts`: its last window closed while sending was frozen. */
const frozenAtDeadline: RawBuilder<boolean> = sql<boolean>`exists (
  select 1 from sending_freeze where frozen_at <= texts.deadline_at
    and (lifted_at is null or lifted_at >= texts.deadline_at))`;

/** Why a text `texts` is missed whose windows have closed. */
export const missedReason: RawBuilder<string> = sql<string>`case when ${frozenAtDeadline} then 'frozen'
  else coalesce(texts.reason, ${pauseAtDeadline}, 'windows_closed') end`;

/** Of a text `texts` in the queue: it was given up when sending started again. Texts of our own never are. */
export const isGivenUp: RawBuilder<boolean> = sql<boolean>`(texts.batch_id is not null and texts.next_attempt_at <= (
  select skipped_until from sending_freeze))`;

export async function saveFreeze(
  trx: Trx,
  freeze: { frozen_at: Date; frozen_by: string; reason: string | null },
): Promise<void> {
  await trx
    .updateTable('sending_freeze')
    .set({ ...freeze, lifted_at: null, revision: sql`revision + 1` })
    .execute();
}

/** What has been tried and waits for its next attempt fell due long ago: it shares the fate of what is due now. */
export async function makeTriedDue(trx: Trx, now: Date): Promise<void> {
  await trx
    .updateTable('texts')
    .set({ next_attempt_at: now })
    .where('state', '=', 'queued')
    .where('next_attempt_at', '>', now)
    .where('attempts', '>', 0)
    .where('batch_id', 'is not', null)
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
