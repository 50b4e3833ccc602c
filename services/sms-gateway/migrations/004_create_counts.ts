import { type Kysely, sql } from 'kysely';

/**
 * What each state counts as. Batches: `pending` is in progress, `failed` raises alerts; a text that is skipped,
 * superseded or stopped by STOP is neither. Statistics count scheduled texts to subscribers only:
 * no tests and no transactional texts.
 */
const pending = `state in ('queued', 'claimed', 'inflight')`;
const successful = `state in ('accepted', 'sent', 'delivered')`;
const blamed = `not is_test and reason is distinct from 'opted_out'`;
const failed = `state in ('failed', 'refused', 'missed', 'unknown') and ${blamed}`;
const real = `batch_id is not null and not is_test`;
const failedSend = `state in ('failed', 'refused', 'unknown') and ${blamed}`;

/** One row of changes per statement, batch, message and day: new rows less old rows. */
const countFunction = (name: string, signed: string) => `
  create function ${name}() returns trigger language plpgsql as $body$
  begin
    insert into count_changes (batch_id, scheduled_message_id, local_date, total, successful, failed, pending,
      day_successful, day_failed, day_cost)
    select * from (
      select batch_id, scheduled_message_id, local_date,
        coalesce(sum(sign), 0) as total,
        coalesce(sum(sign) filter (where ${successful}), 0) as successful,
        coalesce(sum(sign) filter (where ${failed}), 0) as failed,
        coalesce(sum(sign) filter (where ${pending}), 0) as pending,
        coalesce(sum(sign) filter (where ${real} and ${successful}), 0) as day_successful,
        coalesce(sum(sign) filter (where ${real} and ${failedSend}), 0) as day_failed,
        coalesce(sum(sign * cost) filter (where ${real}), 0) as day_cost
      from (${signed}) as signed
      where batch_id is not null
      group by batch_id, scheduled_message_id, local_date
    ) as delta
    where total <> 0 or successful <> 0 or failed <> 0 or pending <> 0
      or day_successful <> 0 or day_failed <> 0 or day_cost <> 0;
    return null;
  end $body$`;

const columns =
  'batch_id, scheduled_message_id, local_date, state, reason, is_test, coalesce(cost, 0) as cost';

export async function up(db: Kysely<unknown>): Promise<void> {
  const statements = [
    `create table batches (
      id uuid primary key,
      kind text not null check (kind in ('scheduled', 'manual_run', 'staff_send')),
      name text not null,
      created_at timestamptz not null,
      total integer not null default 0,
      successful integer not null default 0,
      failed integer not null default 0,
      pending integer not null default 0,
      version integer not null default 0
    )`,
    `create index batches_newest on batches (created_at desc, id)`,
    `create table batch_messages (
      batch_id uuid not null references batches (id),
      scheduled_message_id uuid not null,
      total integer not null default 0,
      successful integer not null default 0,
      failed integer not null default 0,
      pending integer not null default 0,
      primary key (batch_id, scheduled_message_id)
    )`,
    `create table daily_counts (
      local_date date primary key,
      successful integer not null default 0,
      failed integer not null default 0,
      cost numeric(14, 5) not null default 0
    )`,
    // Every state change appends its changes; a loop sums them into the tables above. No transaction waits for a
    // counter's lock, and counts plus unsummed changes equal a recount at any instant.
    `create table count_changes (
      position bigint generated always as identity primary key,
      batch_id uuid not null,
      scheduled_message_id uuid,
      local_date date not null,
      total integer not null,
      successful integer not null,
      failed integer not null,
      pending integer not null,
      day_successful integer not null,
      day_failed integer not null,
      day_cost numeric(14, 5) not null
    )`,
    countFunction('count_new_texts', `select 1 as sign, ${columns} from new_rows`),
    countFunction(
      'count_changed_texts',
      `select 1 as sign, ${columns} from new_rows union all select -1, ${columns} from old_rows`,
    ),
    // On the parent table, so no state change misses its counts and moving rows between partitions counts nothing.
    `create trigger count_new_texts after insert on texts
      referencing new table as new_rows for each statement execute function count_new_texts()`,
    `create trigger count_changed_texts after update on texts
      referencing new table as new_rows old table as old_rows for each statement execute function count_changed_texts()`,
  ];
  for (const statement of statements) await sql.raw(statement).execute(db);
}
