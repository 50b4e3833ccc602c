import { type Kysely, sql } from 'kysely';

const open = `state in ('planned', 'released')`;

const countFunction = (name: string, signed: string) => `
  create function ${name}() returns trigger language plpgsql as $body$
  begin
    insert into due_hour_changes (starts_at, change, open_change)
    select starts_at, 0, sum(sign) from (
      select date_trunc('hour', due_at, 'UTC') as starts_at, sign from (${signed}) as signed where ${open}
    ) as moved group by 1 having sum(sign) <> 0;
    return null;
  end $body$`;

/** Adds the planned texts of an hour that haven't ended. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const statements = [
    `alter table due_hours add column open_dispatches integer not null default 0`,
    `alter table due_hour_changes add column open_change integer not null default 0`,
    `insert into due_hours (starts_at, people, open_dispatches)
      select date_trunc('hour', due_at, 'UTC'), 0, count(*) from dispatches where ${open} group by 1
      on conflict (starts_at) do update set open_dispatches = excluded.open_dispatches`,
    countFunction('count_new_open', 'select state, due_at, 1 as sign from new_rows'),
    countFunction('count_gone_open', 'select state, due_at, -1 as sign from old_rows'),
    countFunction(
      'count_moved_open',
      `select state, due_at, 1 as sign from new_rows union all select state, due_at, -1 from old_rows`,
    ),
    // On the parent table, so moving rows between partitions counts nothing.
    `create trigger count_new_open after insert on dispatches referencing new table as new_rows
      for each statement execute function count_new_open()`,
    `create trigger count_gone_open after delete on dispatches referencing old table as old_rows
      for each statement execute function count_gone_open()`,
    `create trigger count_moved_open after update on dispatches
      referencing new table as new_rows old table as old_rows for each statement execute function count_moved_open()`,
  ];
  for (const statement of statements) await sql.raw(statement).execute(db);
}
