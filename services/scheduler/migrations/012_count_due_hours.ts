import { type Kysely, sql } from 'kysely';

/** One row per hour whose count a statement changed. */
const countFunction = (name: string, signed: string) => `
  create function ${name}() returns trigger language plpgsql as $body$
  begin
    insert into due_hour_changes (starts_at, change)
    select starts_at, sum(sign) from (
      select date_trunc('hour', next_due_at, 'UTC') as starts_at, sign from (${signed}) as signed
      where next_due_at is not null
    ) as moved group by 1 having sum(sign) <> 0;
    return null;
  end $body$`;

/**
 * Next texts by hour, kept up to date. The planner moves many in one statement, which
 * appends a row or two here; a loop sums them.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const statements = [
    `create table due_hours (starts_at timestamptz primary key, people integer not null)`,
    `create table due_hour_changes (
      position bigint generated always as identity primary key,
      starts_at timestamptz not null,
      change integer not null
    )`,
    `insert into due_hours select date_trunc('hour', next_due_at, 'UTC'), count(*) from subscribers
      where next_due_at is not null group by 1`,
    countFunction('count_new_due', 'select next_due_at, 1 as sign from new_rows'),
    countFunction('count_gone_due', 'select next_due_at, -1 as sign from old_rows'),
    countFunction(
      'count_moved_due',
      `select next_due_at, 1 as sign from new_rows union all select next_due_at, -1 from old_rows`,
    ),
    `create trigger count_new_due after insert on subscribers referencing new table as new_rows
      for each statement execute function count_new_due()`,
    `create trigger count_gone_due after delete on subscribers referencing old table as old_rows
      for each statement execute function count_gone_due()`,
    `create trigger count_moved_due after update on subscribers
      referencing new table as new_rows old table as old_rows for each statement execute function count_moved_due()`,
  ];
  for (const statement of statements) await sql.raw(statement).execute(db);
}
