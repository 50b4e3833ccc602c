import { Readable } from 'node:stream';
import { dayMs } from '@daylift/clock/durations';
import type { LogExportQuery } from '@daylift/contracts/sms-operations.http';
import { reasonInWords } from '@daylift/delivery/reason-words';
import { publishAdminAction } from '@daylift/events/admin-actions';
import type { ActingAdmin } from '@daylift/server/acting-admin';
import type { Kysely } from 'kysely';
import type { SmsDatabase } from '../database.ts';
import type { SmsDeps } from '../deps.ts';
import { InvalidSpan } from '../errors.ts';
import { type ReportLine, readReport, reportHeader } from './log-export.repository.ts';

const maxDays = 366;
const usualDays = 30;
/** Rows in memory at a time. */
const pageSize = 100;

interface Span {
  from: string;
  to: string;
}

/** Records the export in the audit log and returns the report. */
export async function exportLog(
  { db, clock }: SmsDeps,
  query: LogExportQuery,
  by: ActingAdmin,
): Promise<Readable> {
  const now = clock.now();
  const span = exportSpan(query, now);
  if (span === null) throw new InvalidSpan();
  // Only known fields: an unknown one may hold a secret by mistake, and the audit log would keep it.
  const { status, batch_id, user_id } = query;
  const filter = {
    ...span,
    ...(status && { status }),
    ...(batch_id && { batch_id }),
    ...(user_id && { user_id }),
  };
  const action = { action: 'delivery_log.exported', target: null, details: filter };
  await db.transaction().execute((trx) => publishAdminAction(trx, 'sms', by, action, now));
  return streamLog(db, filter);
}

/** Returns the days that an export covers, or null if there are too many or they are out of order. */
export function exportSpan(
  { from, to }: Pick<LogExportQuery, 'from' | 'to'>,
  now: Date,
): Span | null {
  // Somewhere on earth it is already tomorrow.
  const last = to ?? new Date(now.getTime() + dayMs).toISOString().slice(0, 10);
  const first = from ?? Temporal.PlainDate.from(last).subtract({ days: usualDays }).toString();
  const days = Temporal.PlainDate.from(first).until(last).days + 1;
  return days < 1 || days > maxDays ? null : { from: first, to: last };
}

/** Streams the log as CSV (RFC 4180) with backpressure, and stops when the client disconnects. */
export function streamLog(db: Kysely<SmsDatabase>, filter: LogExportQuery): Readable {
  return Readable.from(partsOf(db, filter), { objectMode: false, highWaterMark: 64 * 1024 });
}

async function* partsOf(db: Kysely<SmsDatabase>, filter: LogExportQuery): AsyncGenerator<string> {
  yield `${reportHeader}\r\n`;
  for await (const lines of readReport(db, filter, pageSize)) yield lines.map(lineOf).join('');
}

function lineOf({ line, reason }: ReportLine): string {
  const words = reasonInWords(reason);
  return `${line},${words === null ? '' : `"${words.replaceAll('"', '""')}"`}\r\n`;
}
