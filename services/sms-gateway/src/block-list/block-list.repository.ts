import { hourMs } from '@daylift/clock/durations';
import { type Kysely, type Selectable, sql, type Transaction } from 'kysely';
import type { SmsDatabase } from '../database.ts';
import type { BlockListChecksTable } from './block-list.table.ts';

type Trx = Transaction<SmsDatabase>;
export type BlockListCheck = Selectable<BlockListChecksTable>;

export function findCheck(db: Kysely<SmsDatabase>): Promise<BlockListCheck> {
  return db.selectFrom('block_list_checks').selectAll().executeTakeFirstOrThrow();
}

/** Starts a comparison, unless one has started since `dueSince` or is under way. */
export async function startCheck(
  db: Kysely<SmsDatabase>,
  { now, dueSince }: { now: Date; dueSince: Date },
): Promise<void> {
  await db
    .updateTable('block_list_checks')
    .set({ started_at: now, page: 1, blocked: 0, added: 0, finished_at: null })
    .where('page', 'is', null)
    .where('started_at', '<=', dueSince)
    .execute();
}

/** Locks the comparison if this page is still its next one. */
export async function lockPage(
  trx: Trx,
  { started_at, page }: Pick<BlockListCheck, 'started_at' | 'page'>,
): Promise<boolean> {
  const row = await trx
    .selectFrom('block_list_checks')
    .select('id')
    .where('started_at', '=', started_at)
    .where('page', '=', page)
    .forUpdate()
    .executeTakeFirst();
  return row !== undefined;
}

/** Notes that the provider blocks these numbers. Returns those that are opted out here, and whether by its refusal. */
export async function noteBlocked(
  trx: Trx,
  hashes: string[],
  now: Date,
): Promise<Map<string, { byRefusal: boolean }>> {
  const { rows } = await sql<{
    number_hash: string;
    source: string;
  }>`update opt_outs set blocked_at = ${now}
    where number_hash = any(${hashes}) and opted_out returning number_hash, source`.execute(trx);
  return new Map(
    rows.map(({ number_hash, source }) => [number_hash, { byRefusal: source === 'provider' }]),
  );
}

export async function storePage(
  trx: Trx,
  read: { blocked: number; added: number; next: number | null },
): Promise<void> {
  await trx
    .updateTable('block_list_checks')
    .set({
      page: read.next,
      retry_at: null,
      blocked: sql`blocked + ${read.blocked}`,
      added: sql`added + ${read.added}`,
    })
    .execute();
}

/**
 * Counts opt-outs that the comparison didn't find. The newest may not be in the provider's list yet. Those that it had
 * before count as lifted once.
 */
export async function finishCheck(trx: Trx, startedAt: Date, now: Date): Promise<void> {
  const settledBefore = new Date(startedAt.getTime() - hourMs);
  await sql`with only_here as (select number_hash, blocked_at from opt_outs
      where opted_out and changed_at < ${settledBefore} and coalesce(blocked_at < ${startedAt}, true)),
    lifted as (update opt_outs o set blocked_at = null from only_here
      where o.number_hash = only_here.number_hash and only_here.blocked_at is not null)
    update block_list_checks set finished_at = ${now},
      only_here = (select count(*) from only_here), lifted = (select count(blocked_at) from only_here)`.execute(
    trx,
  );
}

/** Lets the comparison wait. */
export async function retryLater(db: Kysely<SmsDatabase>, retry_at: Date): Promise<void> {
  await db.updateTable('block_list_checks').set({ retry_at }).execute();
}
