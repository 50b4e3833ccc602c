import type { LogExportQuery, LogStatus } from '@daylift/contracts/sms-operations.http';
import { type Kysely, type RawBuilder, type Selectable, sql } from 'kysely';
import type { SmsDatabase } from '../database.ts';
import type { TextState } from '../texts/text-states.ts';
import type { TextsTable } from '../texts/texts.table.ts';

type Db = Kysely<SmsDatabase>;

/** Where a page of the log ended, in its order: by day, then by when the text came to us, then by id. */
export interface LogPlace {
  local_date: string;
  created_at: Date;
  id: string;
}

export interface LogFilter extends LogExportQuery {
  /** Only those that left, or may have. */
  only_sent?: boolean;
  /** None that came to us later: a list that is read in pieces ends where it began. */
  created_until?: Date;
}

type Shown =
  | 'id'
  | 'local_date'
  | 'kind'
  | 'user_id'
  | 'batch_id'
  | 'content'
  | 'body'
  | 'state'
  | 'reason'
  | 'error_code'
  | 'to_number'
  | 'created_at'
  | 'handed_at'
  | 'settled_at'
  | 'finalized_at'
  | 'parts'
  | 'cost'
  | 'currency'
  | 'is_test';
export type LogRow = Pick<Selectable<TextsTable>, Shown> & {
  first_name: string | null;
  phone: string | null;
};

const statesOf: Record<LogStatus, TextState[]> = {
  queued: ['queued', 'claimed', 'inflight'],
  sent: ['accepted', 'sent'],
  delivered: ['delivered'],
  failed: ['failed', 'refused'],
  unknown: ['unknown'],
  missed: ['missed'],
  skipped: ['skipped', 'superseded'],
};
const statusByState = new Map(
  Object.entries(statesOf).flatMap(([status, states]) =>
    states.map((state) => [state, status as LogStatus] as const),
  ),
);
export const logStatusOf = (state: TextState): LogStatus => statusByState.get(state) ?? 'unknown';

/**
 * A page of the log, newest first, behind a place. Each state of a status is looked for by itself, in the order of the
 * index that it has, so that rare ones are found as fast as common ones.
 */
export async function findLoggedTexts(
  db: Db,
  filter: LogFilter,
  page: { behind: LogPlace | null; limit: number },
): Promise<LogRow[]> {
  const states = filter.status === undefined ? [null] : statesOf[filter.status];
  const branches = states.map(
    (state) => sql`(select id, local_date, created_at from texts
      where ${sql.join(conditionsOf(filter, state, page.behind), sql` and `)}
      order by local_date desc, created_at desc, id desc limit ${page.limit})`,
  );
  const result = await sql<LogRow>`
    with found as (
      select * from (${sql.join(branches, sql` union all `)}) as branches
      order by local_date desc, created_at desc, id desc limit ${page.limit}
    )
    select t.id, t.local_date, t.kind, t.user_id, t.batch_id, t.content, t.body, t.state, t.reason, t.error_code,
      t.to_number, t.created_at, t.handed_at, t.settled_at, t.finalized_at, t.parts, t.cost, t.currency, t.is_test,
      r.first_name, coalesce(t.reply_to, r.phone) as phone
    from found f join texts t on t.id = f.id and t.local_date = f.local_date
      left join recipients r on r.user_id = t.user_id
    order by f.local_date desc, f.created_at desc, f.id desc`.execute(db);
  return result.rows;
}

function conditionsOf(
  { from, to, batch_id, user_id, only_sent, created_until }: LogFilter,
  state: TextState | null,
  behind: LogPlace | null,
): RawBuilder<unknown>[] {
  const latest = behind !== null && (to === undefined || behind.local_date < to);
  return [
    sql`true`,
    // Written out, because an index of some states only is used for what is known beforehand.
    ...(state === null ? [] : [sql`state = ${sql.lit(state)}`]),
    ...(from === undefined ? [] : [sql`local_date >= ${from}`]),
    ...(latest ? [sql`local_date <= ${behind.local_date}`] : []),
    ...(!latest && to !== undefined ? [sql`local_date <= ${to}`] : []),
    ...(behind === null
      ? []
      : [
          sql`(local_date, created_at, id) < (${behind.local_date}, ${behind.created_at}, ${behind.id})`,
        ]),
    ...(batch_id === undefined ? [] : [sql`batch_id = ${batch_id}`]),
    ...(user_id === undefined ? [] : [sql`user_id = ${user_id}`]),
    ...(only_sent === true ? [sql`handed_at is not null`] : []),
    ...(created_until === undefined ? [] : [sql`created_at <= ${created_until}`]),
  ];
}

/** Where a text stands in the log; undefined for what is not in it. */
export function findLogPlace(
  db: Db,
  key: { id: string; local_date: string },
): Promise<LogPlace | undefined> {
  return db
    .selectFrom('texts')
    .select(['id', 'local_date', 'created_at'])
    .where('id', '=', key.id)
    .where('local_date', '=', key.local_date)
    .executeTakeFirst();
}
