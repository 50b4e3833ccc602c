import type { Kysely } from 'kysely';
import type { SchedulerDatabase } from '../database.ts';

type Db = Kysely<SchedulerDatabase>;
export const heartbeatMs = 30_000;

/** Records a loop's heartbeat, unless another process did lately. */
export async function recordHeartbeat(db: Db, name: string, now: Date): Promise<void> {
  await db
    .insertInto('heartbeats')
    .values({ name, looked_at: now })
    .onConflict((conflict) =>
      conflict
        .column('name')
        .doUpdateSet({ looked_at: now })
        .where('heartbeats.looked_at', '<', new Date(now.getTime() - heartbeatMs)),
    )
    .execute();
}

export async function findHeartbeat(db: Db, name: string): Promise<Date | null> {
  const row = await db
    .selectFrom('heartbeats')
    .select('looked_at')
    .where('name', '=', name)
    .executeTakeFirst();
  return row?.looked_at ?? null;
}
