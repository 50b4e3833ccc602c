import { CsvError, parse } from 'csv-parse/sync';
import { NoHeader, NoLines, OpenQuote, TooManyLines } from '../errors.ts';

const columns = ['date', 'title', 'content'] as const;
const maxLines = 1_000;

/** A message as written in the file. */
export interface CsvLine {
  /** Line number of its start, from 1. */
  line: number;
  date: string;
  title: string;
  content: string;
  /** Number of cells, and of columns in the header. */
  cells: number;
  columns: number;
}

interface CsvRecord {
  line: number;
  cells: string[];
}

/**
 * Parses CSV as spreadsheets write it: separated by commas, semicolons or tabs, with quoted multi-line cells, any line
 * ending, an optional BOM, and columns in any order.
 */
export function readCsv(csv: string): CsvLine[] {
  const [header, ...records] = readRecords(csv.replaceAll(/\r\n?/g, '\n'));
  const names = (header?.cells ?? []).map((name) => name.trim().toLowerCase());
  const missing = columns.filter((name) => !names.includes(name));
  if (missing.length > 0) throw new NoHeader(missing.join(', '));
  if (records.length === 0) throw new NoLines();
  if (records.length > maxLines) throw new TooManyLines(maxLines);
  return records.map(({ line, cells }) => {
    const cell = (name: (typeof columns)[number]) => cells[names.indexOf(name)] ?? '';
    return {
      line,
      date: isoDate(cell('date').trim()),
      title: cell('title'),
      content: cell('content'),
      cells: cells.length,
      columns: names.length,
    };
  });
}

/** Converts a US date as Excel writes it, such as 11/30/2026. Returns other text unchanged. */
const isoDate = (text: string): string => {
  const [, month = '', day = '', year = ''] =
    /^(\d{1,2})\/(\d{1,2})\/((?:20)?\d{2})$/.exec(text) ?? [];
  if (year === '' || Number(month) > 12) return text;
  return `20${year.slice(-2)}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
};

function readRecords(csv: string): CsvRecord[] {
  let lines = 0;
  try {
    const rows = parse(csv, {
      bom: true,
      delimiter: delimiterOf(csv),
      record_delimiter: '\n',
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
      // Enough to detect a file that is too long.
      to: maxLines * 10,
      on_record: (cells, context) => {
        lines = context.lines;
        const within = cells.join('').split('\n').length - 1;
        return [String(lines - within), ...cells];
      },
    });
    const records = rows.map(([line, ...cells]) => ({ line: Number(line), cells }));
    return records.filter(({ cells }) => cells.some((cell) => cell.trim() !== ''));
  } catch (error) {
    if (error instanceof CsvError && error.code === 'CSV_QUOTE_NOT_CLOSED')
      throw new OpenQuote(lines + 1);
    throw error;
  }
}

/** Returns the most frequent separator in the header. */
function delimiterOf(csv: string): string {
  const [header = ''] = csv.trimStart().split('\n');
  const count = (one: string) => header.split(one).length;
  return [',', ';', '\t'].reduce((best, one) => (count(one) > count(best) ? one : best));
}
