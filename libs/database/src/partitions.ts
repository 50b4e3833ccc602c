import { type Kysely, type RawBuilder, sql } from 'kysely';

const monthOf = (date: Date) =>
  Temporal.PlainYearMonth.from({ year: date.getUTCFullYear(), month: date.getUTCMonth() + 1 });

/**
 * SQL: the local date is in the last month, this one or the next. For polls of open rows: planning a statement for all
 * partitions takes many times as long as running it. Rows that stay open for longer need another, rarer poll.
 */
export function isRecent(now: Date): RawBuilder<boolean> {
  const month = monthOf(now);
  const [from, until] = [-1, 2].map((months) => sql.lit(`${month.add({ months })}-01`));
  return sql<boolean>`(local_date >= ${from} and local_date < ${until})`;
}

/** SQL: all rows, where a poll is otherwise limited by `isRecent`. */
export const everyMonth = sql<boolean>`true`;

/**
 * SQL: the local date is in the months of these dates. Named in the statement's text, so Postgres plans a repeated
 * statement for their partitions once. From values alone it plans each call, because a plan for any value counts
 * every partition as read. More than two months aren't named, because each span is another statement to prepare.
 */
export function isInMonthsOf(column: RawBuilder<string>, dates: string[]): RawBuilder<boolean> {
  const sorted = dates.toSorted();
  const [first, last] = [sorted.at(0), sorted.at(-1)];
  if (first === undefined || last === undefined) return everyMonth;
  const [from, until] = [Temporal.PlainYearMonth.from(first), Temporal.PlainYearMonth.from(last)];
  if (from.until(until, { largestUnit: 'months' }).months > 1) return everyMonth;
  const [start, end] = [from.toPlainDate({ day: 1 }), until.toPlainDate({ day: 31 })];
  return sql<boolean>`${column} between ${sql.lit(String(start))} and ${sql.lit(String(end))}`;
}

/**
 * Creates the monthly partitions of a table, from the month before `from` on. Safe on several replicas. Rows of other
 * months go to the default partition created by the migration. Times out after a second of waiting for its lock.
 */
export async function ensureMonthlyPartitions(
  db: Kysely<never>,
  table: string,
  from: Date,
  months = 1,
): Promise<void> {
  const first = monthOf(from);
  for (let ahead = -1; ahead <= months; ahead += 1) {
    const month = first.add({ months: ahead });
    const name = `${table}_${String(month).replace('-', '_')}`;
    if (await tableExists(db, name)) continue;
    const start = month.toPlainDate({ day: 1 });
    await db.transaction().execute(async (trx) => {
      await sql`select pg_advisory_xact_lock(hashtext(${name}))`.execute(trx);
      if (await tableExists(trx, name)) return;
      await limitLockWait(trx);
      await createPartition(trx, {
        table,
        name,
        start: start.toString(),
        end: start.add({ months: 1 }).toString(),
      });
    });
  }
}

interface OldPartitions {
  table: string;
  keptMonths: number;
  beforeDrop?: (partition: string) => Promise<void>;
}

/**
 * Drops the partitions of months that ended at least `keptMonths` ago, and returns their names. Times out after a
 * second of waiting for the table's lock; the next run tries again.
 * `beforeDrop` gets a partition's name while its rows can still be read, again if the drop didn't succeed.
 */
export async function dropOldPartitions(
  db: Kysely<never>,
  { table, keptMonths, beforeDrop }: OldPartitions,
  now: Date,
): Promise<string[]> {
  const first = `${table}_${String(monthOf(now).subtract({ months: keptMonths })).replace('-', '_')}`;
  const { rows } = await sql<{ name: string; is_attached: boolean }>`
    select relname as name, relispartition as is_attached from pg_class
    where relnamespace = current_schema()::regnamespace and relkind = 'r'
      and relname ~ ${`^${table}_[0-9]{4}_[0-9]{2}$`} and relname < ${first}
    order by relname`.execute(db);
  for (const { name, is_attached } of rows) {
    await beforeDrop?.(name);
    // Detaching only changes the catalog. Deleting the files takes longer and then locks nothing that is in use.
    if (is_attached)
      await db.transaction().execute(async (trx) => {
        await limitLockWait(trx);
        await sql`alter table ${sql.table(table)} detach partition ${sql.table(name)}`.execute(trx);
      });
    await sql`drop table if exists ${sql.table(name)}`.execute(db);
  }
  return rows.map(({ name }) => name);
}

/** All later queries of a table wait behind a statement that waits for its lock. */
async function limitLockWait(trx: Kysely<never>): Promise<void> {
  await sql`set local lock_timeout = '1s'`.execute(trx);
}

/** Reads the catalog table, because `to_regclass` uses a cache that waiting for a lock doesn't refresh. */
async function tableExists(db: Kysely<never>, name: string): Promise<boolean> {
  const found = await sql`select from pg_class
    where relname = ${name} and relnamespace = current_schema()::regnamespace`.execute(db);
  return found.rows.length > 0;
}

/** Moves matching rows out of the default partition, or Postgres would reject the new one. */
async function createPartition(
  db: Kysely<never>,
  part: { table: string; name: string; start: string; end: string },
): Promise<void> {
  const stray = sql.table(`${part.table}_default`);
  const column = sql.ref('local_date');
  await sql`create table ${sql.table(part.name)} (like ${sql.table(part.table)} including all)`.execute(
    db,
  );
  await sql`with moved as (delete from ${stray} where ${column} >= ${part.start} and ${column} < ${part.end} returning *)
    insert into ${sql.table(part.name)} select * from moved`.execute(db);
  await sql`alter table ${sql.table(part.table)} attach partition ${sql.table(part.name)}
    for values from (${sql.lit(part.start)}) to (${sql.lit(part.end)})`.execute(db);
}
