import { type Kysely, sql } from 'kysely';

/** Subscribers counted for a delivery hour: with planned texts and delivery enabled. */
const counted = (row: string) => `${row}.next_due_at is not null and ${row}.delivery_enabled`;

/**
 * Subscribers by delivery hour, without counting them for each request. As in sms-gateway, each change
 * is appended and a loop sums them, so no transaction waits for the row of a popular hour.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const statements = [
    `create table delivery_slots (delivery_hour smallint primary key, subscribers integer not null)`,
    `create table delivery_slot_changes (
      position bigint generated always as identity primary key,
      delivery_hour smallint not null,
      change integer not null
    )`,
    `insert into delivery_slots select delivery_hour, count(*) from subscribers as one where ${counted('one')} group by 1`,
    ...[
      { name: 'count_new_subscribers', event: 'insert', rows: 'new', sign: '' },
      { name: 'count_deleted_subscribers', event: 'delete', rows: 'old', sign: '-' },
    ].flatMap(({ name, event, rows, sign }) => [
      `create function ${name}() returns trigger language plpgsql as $body$
      begin
        insert into delivery_slot_changes (delivery_hour, change)
        select delivery_hour, ${sign}count(*) from changed where ${counted('changed')} group by 1;
        return null;
      end $body$`,
      `create trigger ${name} after ${event} on subscribers referencing ${rows} table as changed
        for each statement execute function ${name}()`,
    ]),
    `create function count_changed_subscriber() returns trigger language plpgsql as $body$
    begin
      insert into delivery_slot_changes (delivery_hour, change)
      select delivery_hour, change from (values (old.delivery_hour, -1, ${counted('old')}),
        (new.delivery_hour, 1, ${counted('new')})) as both_sides (delivery_hour, change, is_counted)
      where is_counted;
      return null;
    end $body$`,
    // The planner moves each next text once a day, which changes no hour and so runs no trigger.
    `create trigger count_changed_subscriber after update on subscribers for each row
      when ((${counted('old')}) is distinct from (${counted('new')})
        or (old.delivery_hour is distinct from new.delivery_hour and ${counted('new')}))
      execute function count_changed_subscriber()`,
  ];
  for (const statement of statements) await sql.raw(statement).execute(db);
}
