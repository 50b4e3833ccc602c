import { type Kysely, sql } from 'kysely';

/**
 * Outcomes by day and by recent minute, and the order of the delivery log. States count as in 004. New are
 * `tested` (a batch's texts to the test number), the outcomes of a day, and the minute
 * in which a text settled, so a later failure counts where its success did.
 */
const pending = `state in ('queued', 'claimed', 'inflight')`;
const successful = `state in ('accepted', 'sent', 'delivered')`;
const blamed = `not is_test and reason is distinct from 'opted_out'`;
const failed = `state in ('failed', 'refused', 'missed', 'unknown') and ${blamed}`;
const real = `not is_test`;
const failedSend = `state in ('failed', 'refused', 'unknown') and ${blamed}`;

/** Name and meaning of each count. */
const counts: Record<string, string> = {
  total: 'true',
  successful,
  failed,
  pending,
  tested: `is_test and ${successful}`,
  day_successful: `${real} and ${successful}`,
  day_failed: failedSend,
  day_delivered: `${real} and state = 'delivered'`,
  day_unknown: `state = 'unknown' and ${blamed}`,
  day_missed: `state = 'missed' and ${blamed}`,
  day_skipped: `${real} and state in ('skipped', 'superseded')`,
};
const names = Object.keys(counts);

const countFunction = (name: string, signed: string) => `
  create or replace function ${name}() returns trigger language plpgsql as $body$
  begin
    insert into count_changes (batch_id, scheduled_message_id, local_date, settled_minute, day_cost, ${names.join(', ')})
    select * from (
      select batch_id, scheduled_message_id, local_date, settled_minute,
        coalesce(sum(sign * cost) filter (where ${real}), 0) as day_cost,
        ${names.map((one) => `coalesce(sum(sign) filter (where ${counts[one]}), 0) as ${one}`).join(',\n        ')}
      from (${signed}) as signed
      where batch_id is not null
      group by batch_id, scheduled_message_id, local_date, settled_minute
    ) as delta
    where day_cost <> 0 or ${names.map((one) => `${one} <> 0`).join(' or ')};
    return null;
  end $body$`;

const columns = `batch_id, scheduled_message_id, local_date, state, reason, is_test, coalesce(cost, 0) as cost,
  date_trunc('minute', settled_at) as settled_minute`;

const ofDay = ['delivered', 'unknown', 'missed', 'skipped'];

export async function up(db: Kysely<unknown>): Promise<void> {
  const statements = [
    `alter table count_changes add column settled_minute timestamptz, add column tested integer not null default 0,
      ${ofDay.map((one) => `add column day_${one} integer not null default 0`).join(', ')}`,
    `alter table batches add column tested integer not null default 0, add column changed_at timestamptz,
      add column alerted_at timestamptz`,
    `alter table daily_counts ${ofDay.map((one) => `add column ${one} integer not null default 0`).join(', ')}`,
    `create table minute_counts (
      minute timestamptz primary key,
      successful integer not null default 0,
      failed integer not null default 0
    )`,
    countFunction('count_new_texts', `select 1 as sign, ${columns} from new_rows`),
    countFunction(
      'count_changed_texts',
      `select 1 as sign, ${columns} from new_rows union all select -1, ${columns} from old_rows`,
    ),
    `insert into daily_counts (local_date, ${ofDay.join(', ')})
      select local_date, ${ofDay.map((one) => `count(*) filter (where ${counts[`day_${one}`]})`).join(', ')}
      from texts where batch_id is not null group by local_date
      on conflict (local_date) do update set ${ofDay.map((one) => `${one} = excluded.${one}`).join(', ')}`,
    `update batches set tested = counted.tested from (select batch_id, count(*) as tested from texts
      where batch_id is not null and ${counts.tested} group by batch_id) as counted where batches.id = counted.batch_id`,
    // The order of the delivery log. The id, which breaks ties, is too wide for an index.
    `create index texts_in_order on texts (local_date, created_at)`,
    // Undelivered texts are rare once a day is over.
    `create index texts_by_state on texts (state, local_date, created_at) where state <> 'delivered'`,
    `drop index texts_of_batch`,
    `create index texts_of_batch on texts (batch_id, local_date, created_at) where batch_id is not null`,
    `create index texts_tested on texts (deadline_at) where is_test and kind in ('welcome', 'consent_request')`,
    `create index batches_failing on batches (created_at) where failed > 0 and alerted_at is null`,
  ];
  for (const statement of statements) await sql.raw(statement).execute(db);
}
