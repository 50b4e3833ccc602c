import type { ImportReport, ImportRequest } from '@daylift/contracts/scheduled-messages.http';
import { publishAdminAction } from '@daylift/events/admin-actions';
import type { ActingAdmin } from '@daylift/server/acting-admin';
import type { Trx } from '../database.ts';
import type { ContentDeps } from '../deps.ts';
import { DatesTaken } from '../errors.ts';
import { newMessage, publishScheduled } from '../scheduled-messages/scheduled-messages.actions.ts';
import {
  findDailyMessages,
  insertMessages,
} from '../scheduled-messages/scheduled-messages.repository.ts';
import { type CheckedLine, checkLines, isDate } from './check-lines.ts';
import { type CsvLine, readCsv } from './read-csv.ts';

type Deps = Pick<ContentDeps, 'db' | 'clock'>;

/** Maximum attempts of an import while others take its dates. */
const tries = 5;

/** Stores the daily messages of a file: all or none, unless invalid lines may be skipped. */
export async function importMessages(
  { db, clock }: Deps,
  request: ImportRequest,
  by: ActingAdmin,
): Promise<ImportReport> {
  const lines = readCsv(request.csv);
  const now = clock.now();
  for (let left = tries; left > 0; left -= 1) {
    const report = await db
      .transaction()
      .execute((trx) => importOnce(trx, lines, { request, by, now }))
      .catch((error: unknown) => (error instanceof DateTaken ? null : Promise.reject(error)));
    if (report !== null) return report;
  }
  throw new DatesTaken();
}

/** Rolls back this attempt; the next one sees the other message. */
class DateTaken extends Error {}

async function importOnce(
  trx: Trx,
  lines: CsvLine[],
  { request, by, now }: { request: ImportRequest; by: ActingAdmin; now: Date },
): Promise<ImportReport> {
  const taken = await findDailyMessages(trx, lines.map((one) => one.date).filter(isDate));
  const checked = checkLines(lines, taken, now);
  const report = reportOf(checked, request.dry_run ?? false);
  const stops = report.invalid > 0 && request.skip_invalid !== true;
  if (report.dry_run || stops || report.ok === 0) return report;
  await store(trx, checked, by, now);
  return { ...report, imported: report.ok };
}

async function store(trx: Trx, checked: CheckedLine[], by: ActingAdmin, now: Date): Promise<void> {
  const messages = checked.flatMap(({ fields }) =>
    fields === null ? [] : newMessage(fields, now),
  );
  const stored = await insertMessages(trx, messages);
  if (stored.length < messages.length) throw new DateTaken();
  for (const message of stored) await publishScheduled(trx, message, now);
  const dates = stored.map((one) => one.scheduled_date).toSorted();
  const details = { messages: stored.length, from: dates[0], until: dates.at(-1) };
  await publishAdminAction(
    trx,
    'content',
    by,
    { action: 'messages.imported', target: null, details },
    now,
  );
}

function reportOf(checked: CheckedLine[], dry_run: boolean): ImportReport {
  const lines = checked.map((one) => one.report);
  const count = (status: string) => lines.filter((one) => one.status === status).length;
  return {
    dry_run,
    imported: 0,
    ok: count('ok'),
    already_there: count('already_there'),
    invalid: count('invalid'),
    lines,
  };
}
