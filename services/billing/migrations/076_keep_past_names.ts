import { type Kysely, sql } from 'kysely';

/** A trigger, because replicas of the previous version rename and erase customers until they stop. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const statements = [
    sql`alter table customers add column past_names text[] not null default '{}'`,
    sql`create function keep_past_name() returns trigger language plpgsql as $$ begin
        new.past_names := case when new.deleted_at is null
          then (array_prepend(old.name, old.past_names))[1:20] else '{}' end;
        return new;
      end $$`,
    sql`create trigger keep_past_name before update of name on customers
      for each row when (new.name <> old.name) execute function keep_past_name()`,
  ];
  for (const statement of statements) await statement.execute(db);
}
