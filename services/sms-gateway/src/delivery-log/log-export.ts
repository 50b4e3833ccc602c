import { Readable } from 'node:stream';
import type { LogExportQuery } from '@daylift/contracts/sms-operations.http';
import { stringify } from 'csv-stringify/sync';
import type { Kysely } from 'kysely';
import type { SmsDatabase } from '../database.ts';
import { findLoggedTexts, type LogFilter, type LogPlace } from './delivery-log.repository.ts';
import { loggedTextOf } from './delivery-log.view.ts';

const dayMs = 24 * 3_600_000;
const longestDays = 366;
const usualDays = 30;
/** Rows that are in memory at once. */
const atOnce = 1_000;

const columns = [
  'id',
  'local_date',
  'kind',
  'status',
  'reason',
  'error_code',
  'to',
  'first_name',
  'user_id',
  'batch_id',
  'message_content',
  'is_test',
  'created_at',
  'sent_at',
  'finished_at',
  'parts',
  'cost',
  'currency',
] as const;

/** RFC 4180, and nothing in it is a formula when a spreadsheet opens it. */
const csvOf = (rows: object[], header: boolean): string =>
  stringify(rows, {
    columns: [...columns],
    header,
    record_delimiter: '\r\n',
    // By itself it quotes only what holds both of them.
    quoted_match: /[\r\n]/,
    escape_formulas: true,
    cast: { boolean: (value) => (value ? 'yes' : 'no') },
  });

/** The days that an export covers; null if they are too many or in the wrong order. */
export function exportSpan(
  { from, to }: Pick<LogExportQuery, 'from' | 'to'>,
  now: Date,
): { from: string; to: string } | null {
  // It is tomorrow already somewhere on earth.
  const last = to ?? new Date(now.getTime() + dayMs).toISOString().slice(0, 10);
  const first = from ?? Temporal.PlainDate.from(last).subtract({ days: usualDays }).toString();
  const days = Temporal.PlainDate.from(first).until(last).days + 1;
  return days < 1 || days > longestDays ? null : { from: first, to: last };
}

/**
 * The log as CSV, read page by page as fast as it is taken and never further: no transaction is held, and whoever goes away
 * ends it. What came to us after it began is not in it; every other text is in it once, as it stands when its page is read.
 */
export function streamLog(db: Kysely<SmsDatabase>, filter: LogFilter): Readable {
  return Readable.from(pagesOf(db, filter), { objectMode: false, highWaterMark: 64 * 1024 });
}

async function* pagesOf(db: Kysely<SmsDatabase>, filter: LogFilter): AsyncGenerator<string> {
  yield csvOf([], true);
  for (let behind: LogPlace | null = null; ; ) {
    const rows = await findLoggedTexts(db, filter, { behind, limit: atOnce });
    // Who may export sees numbers.
    if (rows.length > 0)
      yield csvOf(
        rows.map((row) => loggedTextOf(row, 'operator')),
        false,
      );
    if (rows.length < atOnce) return;
    behind = rows.at(-1)!;
  }
}
