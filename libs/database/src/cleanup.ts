import type { Clock } from '@daylift/clock/clock';
import { dayMs, minuteMs } from '@daylift/clock/durations';
import type { Loop } from '@daylift/server/loops';
import { Gauge } from '@daylift/server/metrics';
import { type Kysely, type RawBuilder, sql } from 'kysely';

/** Rows of a table that are deleted once the instant in `column` is longer ago than `keptMs`. */
export type Cleanup<T> = {
  [Table in keyof T & string]: {
    table: Table;
    /** Indexed, unless the table stays small. */
    column: keyof T[Table] & string;
    keptMs: number;
    /** Deletes only the rows that match. */
    only?(now: Date): RawBuilder<boolean>;
    /** Compares with the system's time instead of the product's. */
    onWallClock?: boolean;
  };
}[keyof T & string];

const rowsPerStep = 5_000;
const stepsPerRun = 20;

const caughtUp = new Gauge({
  name: 'cleanup_caught_up_timestamp_seconds',
  help: 'Last time that no row of a table was overdue for deletion; initially, the start of the process',
  labelNames: ['table'],
});

/**
 * Returns a loop that deletes old rows in small statements, so none locks many rows or runs long, however large the
 * backlog. It runs each minute until it has caught up. Safe on any number of replicas.
 */
export function createCleanupLoop<T>(
  { db, clock }: { db: Kysely<T>; clock: Clock },
  cleanups: Cleanup<T>[],
  name = 'cleanup',
): Loop {
  for (const { table } of cleanups) caughtUp.labels(table).setToCurrentTime();
  return {
    name,
    everyMs: minuteMs,
    settleEveryMs: dayMs,
    async run() {
      const errors: unknown[] = [];
      for (const cleanup of cleanups)
        await cleanUp(db, cleanup, cleanup.onWallClock ? new Date() : clock.now()).catch(
          (error: unknown) => errors.push(error),
        );
      if (errors.length > 0) throw errors[0];
      return 0;
    },
  };
}

async function cleanUp<T>(db: Kysely<T>, cleanup: Cleanup<T>, now: Date): Promise<void> {
  let from = new Date(0);
  for (let step = 0; step < stepsPerRun; step += 1) {
    const { deleted, newest } = await deleteStep(db, cleanup, now, from);
    if (deleted < rowsPerStep || newest === null) {
      caughtUp.labels(cleanup.table).setToCurrentTime();
      return;
    }
    from = newest;
  }
}

/** Starts at the previous step's newest row, so it doesn't read the entries of deleted rows again. */
async function deleteStep<T>(
  db: Kysely<T>,
  { table, column, keptMs, only }: Cleanup<T>,
  now: Date,
  from: Date,
): Promise<{ deleted: number; newest: Date | null }> {
  const at = sql.ref(column);
  const { rows } = await sql<{ deleted: number; newest: Date | null }>`
    with deleted as (
      delete from ${sql.table(table)} where ctid = any(array(
        select ctid from ${sql.table(table)}
        where ${at} >= ${from} and ${at} < ${new Date(now.getTime() - keptMs)} and ${only?.(now) ?? sql`true`}
        order by ${at} limit ${rowsPerStep} for update skip locked))
      returning ${at} as at
    )
    select count(*) as deleted, max(at) as newest from deleted`.execute(db);
  return rows[0] ?? { deleted: 0, newest: null };
}
