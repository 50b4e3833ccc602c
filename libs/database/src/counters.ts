import { hourMs } from '@daylift/clock/durations';
import type { Loop } from '@daylift/server/loops';
import { type Kysely, sql } from 'kysely';
import { foldAlone } from './advisory-locks.ts';

/** For a service's database type. Its migrations create the tables. */
export interface CounterTables {
  counters: { name: string; value: number };
  counter_changes: { name: string; change: number };
}

const perFold = 5_000;

/**
 * Counters without lock contention: a change is a row in the transaction of what it counts, and a loop folds the rows
 * into the counters. Counter plus rows equal a recount at any time.
 */
export async function createCounterTables(db: Kysely<unknown>): Promise<void> {
  const statements = [
    // Sorted by bytes, so names with the same prefix are adjacent.
    sql`create table counters (name text collate "C" primary key, value bigint not null)`,
    sql`create table counter_changes (
      position bigint generated always as identity primary key,
      name text collate "C" not null,
      change bigint not null
    )`,
    sql`create index counter_changes_by_name on counter_changes (name)`,
  ];
  for (const statement of statements) await statement.execute(db);
}

/** What each row of a table adds to a counter; both are SQL over the row `r`. */
export interface RowCount {
  name: string;
  adds: string;
}

/** Counts a table's existing rows, and later ones by triggers, which no writer can bypass. */
export async function countRows(
  db: Kysely<unknown>,
  table: string,
  counts: RowCount[],
): Promise<void> {
  const sumOf = (signed: string) => `
    insert into counter_changes (name, change)
    select name, sum(change) from (${counts
      .map(
        ({ name, adds }) => `select ${name} as name, sign * (${adds}) as change from (${signed}) r`,
      )
      .join(' union all ')}) as changes
    group by name having sum(change) <> 0`;
  const rows = { insert: 'new table as new_rows', delete: 'old table as old_rows' };
  const added = 'select *, 1 as sign from new_rows';
  const taken = 'select *, -1 as sign from old_rows';
  const ways = [
    { way: 'insert', tables: rows.insert, signed: added },
    {
      way: 'update',
      tables: `${rows.insert} ${rows.delete}`,
      signed: `${added} union all ${taken}`,
    },
    { way: 'delete', tables: rows.delete, signed: taken },
  ];
  for (const { way, tables, signed } of ways) {
    const name = `count_${table}_${way}`;
    await sql
      .raw(
        `create function ${name}() returns trigger language plpgsql as $body$
        begin ${sumOf(signed)}; return null; end $body$`,
      )
      .execute(db);
    await sql
      .raw(
        `create trigger ${name} after ${way} on ${table} referencing ${tables}
        for each statement execute function ${name}()`,
      )
      .execute(db);
  }
  await sql.raw(sumOf(`select *, 1 as sign from ${table}`)).execute(db);
}

export async function changeCounter<T extends CounterTables>(
  db: Kysely<T>,
  name: string,
  change: number,
): Promise<void> {
  await sql`insert into counter_changes (name, change) values (${name}, ${change})`.execute(db);
}

/** Returns every counter with this prefix, or those from a name on, in one snapshot. */
export async function readCounters<T extends CounterTables>(
  db: Kysely<T>,
  beginning: string,
  first = beginning,
): Promise<Map<string, number>> {
  const end = `${beginning}\u{10ffff}`;
  const { rows } = await sql<{ name: string; value: number }>`
    select name, sum(value)::bigint as value from (
      select name, value from counters where name >= ${first} and name < ${end}
      union all
      select name, change from counter_changes where name >= ${first} and name < ${end}
    ) as parts group by name`.execute(db);
  return new Map(rows.map(({ name, value }) => [name, value]));
}

/** Runs in one process at a time. Returns how many changes it folded. */
export async function foldCounters<T extends CounterTables>(db: Kysely<T>): Promise<number> {
  return foldAlone(db, { task: 'fold_counters', changes: 'counter_changes' }, async (trx) => {
    const result = await sql<{ folded: number }>`
      with taken as (
        delete from counter_changes
        where position in (select position from counter_changes order by position limit ${perFold})
        returning name, change
      ), folded as (
        insert into counters (name, value) select name, sum(change) from taken group by name
        on conflict (name) do update set value = counters.value + excluded.value
      )
      select count(*) as folded from taken`.execute(trx);
    return result.rows[0]?.folded ?? 0;
  });
}

/** Settling rarely runs it, because sums are right without it. */
export const createFoldLoop = <T extends CounterTables>(db: Kysely<T>): Loop => ({
  name: 'fold-counters',
  everyMs: 1_000,
  settleEveryMs: hourMs,
  run: () => foldCounters(db),
});
