import type { LogExportQuery, LogStatus } from '@daylift/contracts/sms-operations.http';
import { type Kysely, type RawBuilder, type Selectable, sql } from 'kysely';
import type { SmsDatabase } from '../database.ts';
import { logDay } from '../texts/due-texts.repository.ts';
import type { TextState } from '../texts/text-states.ts';
import type { TextsTable } from '../texts/texts.table.ts';

type Db = Kysely<SmsDatabase>;

/** Cursor of the log: day, creation time, id. */
export interface LogPlace {
  local_date: string;
  /** Text, because a JavaScript date has less precision than a Postgres timestamp. */
  created_at: string;
  id: string;
}

export interface LogFilter extends LogExportQuery {
  /** Only texts that were sent or may have been. */
  only_sent?: boolean;
}

const columns = [
  'id',
  'local_date',
  'kind',
  'user_id',
  'batch_id',
  'content',
  'body',
  'state',
  'reason',
  'error_code',
  'to_number',
  'created_at',
  'handed_at',
  'settled_at',
  'finalized_at',
  'parts',
  'cost',
  'currency',
  'is_test',
] as const;
const shown = sql.join([...columns, 'reply_to'].map((name) => sql.ref(name)));
export type LogRow = Pick<Selectable<TextsTable>, (typeof columns)[number]> & {
  first_name: string | null;
  phone: string | null;
};

export const statesOf: Record<LogStatus, TextState[]> = {
  queued: ['queued', 'inflight'],
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
 * Returns a page of the log after a cursor, newest first. Queries each state of a status by its own index, so rare
 * states are found as fast as common ones.
 */
export async function findLoggedTexts(
  db: Db,
  filter: LogFilter,
  page: { behind: LogPlace | null; limit: number },
): Promise<LogRow[]> {
  const states = filter.status === undefined ? [null] : statesOf[filter.status];
  const branches = states.map(
    (state) => sql`(select ${shown} from texts
      where ${conditionsOf(filter, state === null ? null : [state], page.behind)}
      order by ${logDay} desc, created_at desc, id desc limit ${page.limit})`,
  );
  const result = await sql<LogRow>`
    with found as (
      select * from (${sql.join(branches, sql` union all `)}) as branches
      order by local_date desc, created_at desc, id desc limit ${page.limit}
    )
    select found.*, r.first_name, coalesce(reply_to, r.phone) as phone
    from found left join recipients r on r.user_id = found.user_id
    order by local_date desc, created_at desc, id desc`.execute(db);
  return result.rows;
}

export function conditionsOf(
  { from, to, batch_id, user_id, only_sent }: LogFilter,
  states: TextState[] | null,
  behind: LogPlace | null,
): RawBuilder<unknown> {
  const latest = behind !== null && (to === undefined || behind.local_date < to);
  const conditions = [
    sql`true`,
    // Literals, because a partial index is used only for values known when planning.
    ...(states === null ? [] : [sql`state in (${sql.join(states.map((one) => sql.lit(one)))})`]),
    ...(from === undefined ? [] : [sql`local_date >= ${from} and ${logDay} >= ${from}`]),
    // The column itself chooses the partitions.
    ...(latest ? [sql`local_date <= ${behind.local_date}`] : []),
    ...(!latest && to !== undefined ? [sql`local_date <= ${to} and ${logDay} <= ${to}`] : []),
    ...(behind === null
      ? []
      : [
          sql`(${logDay}, created_at, id) < (${behind.local_date}, ${behind.created_at}::timestamptz, ${behind.id})`,
        ]),
    ...(batch_id === undefined ? [] : [sql`batch_id = ${batch_id}`]),
    ...(user_id === undefined ? [] : [sql`texts.user_id = ${user_id}`]),
    ...(only_sent === true ? [sql`handed_at is not null`] : []),
  ];
  return sql.join(conditions, sql` and `);
}

/** Returns the cursor of a text, or undefined if the log doesn't contain it. */
export function findLogPlace(
  db: Db,
  key: { id: string; local_date: string },
): Promise<LogPlace | undefined> {
  return db
    .selectFrom('texts')
    .select(['id', 'local_date', sql<string>`created_at::text`.as('created_at')])
    .where('id', '=', key.id)
    .where('local_date', '=', key.local_date)
    .executeTakeFirst();
}
