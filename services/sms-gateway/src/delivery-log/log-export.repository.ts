import type { LogExportQuery } from '@daylift/contracts/sms-operations.http';
import { type Kysely, type QueryResult, type RawBuilder, sql } from 'kysely';
import type { SmsDatabase } from '../database.ts';
import { logDay } from '../texts/due-texts.repository.ts';
import { conditionsOf, type LogPlace, statesOf } from './delivery-log.repository.ts';

/** A line of the export; its reason is still a code. */
export interface ReportLine {
  line: string;
  reason: string | null;
}

/** Spreadsheets read the full-width forms like the plain ones. */
const formulaStart = '^([-=+@\t\r＝＋－＠])';
/**
 * Returns text from people or providers as an RFC 4180 cell. A quote mark before a formula keeps spreadsheets from
 * running it.
 */
const written = (value: RawBuilder<unknown>) =>
  sql`coalesce('"' || replace(regexp_replace(${value}, ${formulaStart}, ${"'\\1"}), '"', '""') || '"', '')`;
/** Returns our own ids, days and numbers, which need no quotes. */
const plain = (value: RawBuilder<unknown>) => sql`coalesce(${value}::text, '')`;
const instant = (name: string) =>
  sql`coalesce(to_char(${sql.ref(name)} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), '')`;
const status = sql`case state ${sql.join(
  Object.entries(statesOf).flatMap(([name, states]) =>
    states.map((state) => sql`when ${sql.lit(state)} then ${sql.lit(name)}`),
  ),
  sql` `,
)} end`;
const words = sql`case kind when 'one_time_code' then '(a code)' else coalesce(body, content) end`;

/** Name and content of each column in order; the reason follows them. */
const columns: Record<string, RawBuilder<unknown>> = {
  id: plain(sql`id`),
  local_date: plain(sql`local_date`),
  kind: plain(sql`kind`),
  status,
  error_code: written(sql`error_code`),
  to: written(sql`coalesce(to_number, reply_to, r.phone)`),
  first_name: written(sql`nullif(r.first_name, '')`),
  user_id: plain(sql`texts.user_id`),
  batch_id: plain(sql`batch_id`),
  message_content: written(words),
  is_test: sql`case when is_test then 'yes' else 'no' end`,
  created_at: instant('created_at'),
  sent_at: instant('handed_at'),
  finished_at: sql`coalesce(nullif(${instant('finalized_at')}, ''), ${instant('settled_at')})`,
  parts: plain(sql`parts`),
  cost: plain(sql`cost`),
  currency: written(sql`currency`),
};
export const reportHeader = [...Object.keys(columns), 'reason'].join(',');

/**
 * Streams the whole log, newest first. Postgres formats the lines, because objects for a million rows would cost too
 * much memory. No transaction stays open during a slow download.
 */
export async function* readReport(
  db: Kysely<SmsDatabase>,
  filter: LogExportQuery,
  pageSize: number,
): AsyncGenerator<ReportLine[]> {
  const states = filter.status === undefined ? null : statesOf[filter.status];
  for (let behind: LogPlace | null = null; ; ) {
    const page: QueryResult<ReportLine & LogPlace> = await sql<ReportLine & LogPlace>`
      select ${sql.join(Object.values(columns), sql` || ',' || `)} as line, reason,
        id, local_date, created_at::text as created_at
      from texts left join recipients r on r.user_id = texts.user_id
      where ${conditionsOf(filter, states, behind)}
      order by ${logDay} desc, texts.created_at desc, id desc limit ${pageSize}`.execute(db);
    if (page.rows.length > 0) yield page.rows;
    if (page.rows.length < pageSize) return;
    behind = page.rows.at(-1)!;
  }
}
