import { type Kysely, sql } from 'kysely';

/**
 * Counts opt-outs and failed tests of a batch, which were part of the rest besides what is sent, failed or pending. A
 * superseded text counts nowhere: another one replaced it. Other states count as in 009.
 */
const pending = `state in ('queued', 'claimed', 'inflight')`;
const successful = `state in ('accepted', 'sent', 'delivered')`;
const optedOut = `reason is not distinct from 'opted_out' and state in ('skipped', 'failed', 'refused', 'missed', 'unknown')`;
const blamed = `not is_test and reason is distinct from 'opted_out'`;
const failing = `state in ('failed', 'refused', 'missed', 'unknown') and reason is distinct from 'opted_out'`;
const failed = `${failing} and not is_test`;
const real = `not is_test`;
const failedSend = `state in ('failed', 'refused', 'unknown') and ${blamed}`;

/** Name and meaning of each count. */
const counts: Record<string, string> = {
  total: `state <> 'superseded'`,
  successful,
  failed,
  pending,
  tested: `is_test and ${successful}`,
  tests_failed: `is_test and ${failing}`,
  opted_out: optedOut,
  day_successful: `${real} and ${successful}`,
  day_failed: failedSend,
  day_delivered: `${real} and state = 'delivered'`,
  day_unknown: `state = 'unknown' and ${blamed}`,
  day_missed: `state = 'missed' and ${blamed}`,
  day_skipped: `${real} and state = 'skipped'`,
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

const added = `add column tests_failed integer not null default 0, add column opted_out integer not null default 0`;

export async function up(db: Kysely<unknown>): Promise<void> {
  const statements = [
    `alter table count_changes ${added}`,
    `alter table batches ${added}`,
    countFunction('count_new_texts', `select 1 as sign, ${columns} from new_rows`),
    countFunction(
      'count_changed_texts',
      `select 1 as sign, ${columns} from new_rows union all select -1, ${columns} from old_rows`,
    ),
  ];
  for (const statement of statements) await sql.raw(statement).execute(db);
}
