import { type Selectable, sql } from 'kysely';
import type { ComparisonTable, Db } from '../database.ts';

export type Comparison = Selectable<ComparisonTable>;

/** Enough for a page with its retries. */
const leaseMs = 60_000;

/** Plans the first comparison of an installation. */
export async function planFirstComparison(
  db: Db,
  first: Pick<Comparison, 'next_run_at' | 'started_at' | 'kind'>,
): Promise<void> {
  await db
    .insertInto('comparison')
    .values(first)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Claims the comparison for one replica if it is due. */
export function claimComparison(
  db: Db,
  { kind, now }: { kind: string; now: Date },
): Promise<Comparison | undefined> {
  const wall = new Date();
  return db
    .updateTable('comparison')
    .set({
      claimed_until: new Date(wall.getTime() + leaseMs),
      started_at: sql`case when cursor is null and kind = ${kind} then ${now} else started_at end`,
    })
    .where('next_run_at', '<=', now)
    .where((where) =>
      where.or([where('claimed_until', 'is', null), where('claimed_until', '<', wall)]),
    )
    .returningAll()
    .executeTakeFirst();
}

export async function storeProgress(
  db: Db,
  progress: Pick<Comparison, 'kind' | 'cursor' | 'cursor_at'> & Partial<Comparison>,
): Promise<void> {
  const claimed_until = new Date(Date.now() + leaseMs);
  await db
    .updateTable('comparison')
    .set({ claimed_until, ...progress })
    .execute();
}

export async function findComparedAt(db: Db): Promise<Date | null> {
  const row = await db.selectFrom('comparison').select('finished_at').executeTakeFirst();
  return row?.finished_at ?? null;
}
