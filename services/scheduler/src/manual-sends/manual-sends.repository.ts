import { type Kysely, sql, type Transaction } from 'kysely';
import type { SchedulerDatabase } from '../database.ts';
import type { DispatchState } from '../dispatches/dispatches.table.ts';
import type { ManualSend } from './manual-sends.table.ts';

type Db = Kysely<SchedulerDatabase>;
type Trx = Transaction<SchedulerDatabase>;

export function findManualSend(db: Db, messageId: string): Promise<ManualSend | undefined> {
  return db
    .selectFrom('staff_sends')
    .selectAll()
    .where('scheduled_message_id', '=', messageId)
    .executeTakeFirst();
}

/** At most one per message. The caller holds the message's lock and has checked that there is none. */
export function createManualSend(
  trx: Trx,
  send: Pick<
    ManualSend,
    'id' | 'scheduled_message_id' | 'batch_id' | 'hold_quiet_hours' | 'requested_at'
  >,
): Promise<ManualSend> {
  return trx.insertInto('staff_sends').values(send).returningAll().executeTakeFirstOrThrow();
}

/** Claims an unfinished fan-out, or the given one. Concurrent callers skip it. */
export function claimUnfinished(trx: Trx, id?: string): Promise<ManualSend | undefined> {
  return trx
    .selectFrom('staff_sends')
    .selectAll()
    .where('finished_at', 'is', null)
    .$if(id !== undefined, (query) => query.where('id', '=', id ?? ''))
    .orderBy('requested_at')
    .limit(1)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst();
}

export async function countUnfinished(db: Db): Promise<number> {
  const row = await db
    .selectFrom('staff_sends')
    .select((select) => select.fn.countAll<number>().as('unfinished'))
    .where('finished_at', 'is', null)
    .executeTakeFirstOrThrow();
  return row.unfinished;
}

export async function recordProgress(
  trx: Trx,
  id: string,
  progress: { after_user_id: string | null; taken: number },
): Promise<void> {
  await trx
    .updateTable('staff_sends')
    .set((set) => ({
      after_user_id: progress.after_user_id,
      total: set('total', '+', progress.taken),
    }))
    .where('id', '=', id)
    .execute();
}

export async function finishManualSend(trx: Trx, id: string, now: Date): Promise<void> {
  await trx.updateTable('staff_sends').set({ finished_at: now }).where('id', '=', id).execute();
}

export async function reopenManualSend(trx: Trx, messageId: string): Promise<void> {
  await trx
    .updateTable('staff_sends')
    .set({ finished_at: null })
    .where('scheduled_message_id', '=', messageId)
    .execute();
}

/** Returns the next subscribers with a held text of this send. */
export async function findHeldUsers(
  db: Db,
  manualSendId: string,
  limit: number,
): Promise<string[]> {
  const rows = await db
    .selectFrom('dispatches')
    .select('user_id')
    .where('staff_send_id', '=', manualSendId)
    .where('state', '=', 'planned')
    .orderBy('user_id')
    .limit(limit)
    .execute();
  return rows.map((row) => row.user_id);
}

export async function countByState(
  db: Db,
  manualSendId: string,
): Promise<Partial<Record<DispatchState, number>>> {
  const result = await sql<{ state: DispatchState; dispatches: number }>`
    select state, count(*) as dispatches from dispatches where staff_send_id = ${manualSendId} group by state`.execute(
    db,
  );
  return Object.fromEntries(result.rows.map((row) => [row.state, row.dispatches]));
}
