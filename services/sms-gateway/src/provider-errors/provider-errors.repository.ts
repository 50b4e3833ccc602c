import { dayMs } from '@daylift/clock/durations';
import type { Cleanup } from '@daylift/database/cleanup';
import { type Kysely, sql, type Transaction } from 'kysely';
import type { SmsDatabase } from '../database.ts';
import type { ClassifiedError } from '../provider/outcome-table.ts';
import type { ProviderErrorsTable } from './provider-errors.table.ts';

type Db = Kysely<SmsDatabase>;
type Key = Pick<ProviderErrorsTable, 'phase' | 'code' | 'is_opt_out'>;

export async function addErrors(
  trx: Transaction<SmsDatabase>,
  errors: ClassifiedError[],
  now: Date,
): Promise<void> {
  const day = now.toISOString().slice(0, 10);
  const counted = Map.groupBy(
    errors.map(({ phase, code, action }) => ({ phase, code, is_opt_out: action === 'opt_out' })),
    (key) => Object.values(key).join(),
  );
  // Sorted, so concurrent transactions can't deadlock.
  for (const [, same] of [...counted].toSorted(([one], [other]) => (one < other ? -1 : 1)))
    await trx
      .insertInto('provider_errors')
      .values({ day, ...same[0]!, texts: same.length, last_at: now })
      .onConflict((conflict) =>
        conflict
          .columns(['day', 'phase', 'code', 'is_opt_out'])
          .doUpdateSet({ texts: sql`provider_errors.texts + ${same.length}`, last_at: now }),
      )
      .execute();
}

export interface ErrorCount extends Key {
  texts: number;
  last_at: Date;
}

/** Counts texts by error, from a UTC day on. */
export async function countErrors(
  db: Db,
  of: { fromDay: string; after?: Date | null },
): Promise<ErrorCount[]> {
  let counts = db
    .selectFrom('provider_errors')
    .select(['phase', 'code', 'is_opt_out'])
    .select((select) => [
      sql<number>`sum(texts)::int`.as('texts'),
      select.fn.max('last_at').as('last_at'),
    ])
    .where('day', '>=', of.fromDay)
    .groupBy(['phase', 'code', 'is_opt_out']);
  if (of.after) counts = counts.where('last_at', '>', of.after);
  return counts.orderBy('code').orderBy('phase').execute();
}

export const oldProviderErrors: Cleanup<SmsDatabase> = {
  table: 'provider_errors',
  column: 'last_at',
  keptMs: 60 * dayMs,
};
