import { maxContentLength, maxTitleLength } from '@daylift/contracts/content.http';
import type { ImportLine } from '@daylift/contracts/scheduled-messages.http';
import { checkMessage } from '../scheduled-messages/check-message.ts';
import { readScheduledDate, wordDate } from '../scheduled-messages/scheduled-date.ts';
import type {
  MessageFields,
  StoredMessage,
} from '../scheduled-messages/scheduled-messages.repository.ts';
import { cleanContent, cleanTitle } from '../words/clean-text.ts';
import type { CsvLine } from './read-csv.ts';

/** A line with its result, and its message if it is valid. */
export interface CheckedLine {
  report: ImportLine;
  fields: MessageFields | null;
}

/** Validates each line by the rules of the form, earlier lines, and existing messages. */
export function checkLines(lines: CsvLine[], taken: StoredMessage[], now: Date): CheckedLine[] {
  const stored = new Map(taken.map((one) => [one.scheduled_date, one]));
  const before = new Map<string, CsvLine>();
  return lines.map((line) => {
    const { date } = line;
    const existing = stored.get(date);
    const earlier = before.get(date);
    if (existing !== undefined && isSame(line, existing))
      return { report: reportOf(line, 'already_there', null), fields: null };
    if (earlier !== undefined) {
      return isSame(line, earlier)
        ? sameAs(line, earlier)
        : invalid(
            line,
            `Line ${earlier.line} has the same date. Each date can have one daily message.`,
          );
    }
    if (existing !== undefined) return invalid(line, dateTaken(date, existing));
    const checked = checkLine(line, now);
    // An invalid line doesn't reserve its date.
    if (checked.fields !== null) before.set(date, line);
    return checked;
  });
}

const sameAs = (line: CsvLine, earlier: CsvLine): CheckedLine => ({
  report: reportOf(line, 'already_there', `Same as line ${earlier.line}.`),
  fields: null,
});

function checkLine(line: CsvLine, now: Date): CheckedLine {
  const wrong = findProblem(line);
  if (wrong !== null) return invalid(line, wrong);
  try {
    const fields = checkMessage({ ...line, scheduled_date: line.date }, now);
    return { report: reportOf(line, 'ok', null), fields };
  } catch (error) {
    if (typeof (error as { statusCode?: unknown }).statusCode !== 'number') throw error;
    return invalid(line, (error as Error).message);
  }
}

/** Returns the first problem with the fields, or null. */
function findProblem(line: CsvLine): string | null {
  if (line.cells !== line.columns)
    return `This line has ${line.cells} cells, but the header has ${line.columns}. Put text that contains a comma in quotation marks.`;
  const empty = (['date', 'title', 'content'] as const).filter((name) => line[name].trim() === '');
  if (empty.length > 0) return `Please fill in all required fields. Missing: ${empty.join(', ')}.`;
  if (!isDate(line.date))
    return `"${line.date.slice(0, 40)}" is not a date. Write it as 2027-03-07 or 3/7/2027 (month/day/year).`;
  if (line.title.length > maxTitleLength)
    return `The title can have at most ${maxTitleLength} characters.`;
  if (line.content.length > maxContentLength)
    return `The content can have at most ${maxContentLength} characters.`;
  return null;
}

/** Returns whether the text is an existing date of this era. */
export const isDate = (text: string): boolean =>
  /^\d{4}-\d{2}-\d{2}$/.test(text) && text > '0001' && readScheduledDate(text) !== null;

const isSame = (line: CsvLine, other: { title: string; content: string }): boolean =>
  cleanTitle(line.title) === cleanTitle(other.title) &&
  cleanContent(line.content) === cleanContent(other.content);

const invalid = (line: CsvLine, detail: string): CheckedLine => ({
  report: reportOf(line, 'invalid', detail),
  fields: null,
});

const reportOf = (
  { line, date, title }: CsvLine,
  status: ImportLine['status'],
  detail: string | null,
): ImportLine => ({
  line,
  status,
  date: date.slice(0, 40),
  title: cleanTitle(title).slice(0, 200),
  detail,
});

function dateTaken(date: string, existing: StoredMessage): string {
  const read = readScheduledDate(date);
  const words = read === null ? date : wordDate(read);
  return existing.sent_at === null
    ? `${words} already has a daily message. Edit or delete it first.`
    : `The daily message for ${words} has already been sent.`;
}
