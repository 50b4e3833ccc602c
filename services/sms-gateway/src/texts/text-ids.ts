import { randomUUID } from 'node:crypto';

/**
 * The id of a text is `YYYYMMDD-<32 hex>`. Its date is the text's local date and names the partition, so that whoever
 * knows only the id (a job, a receipt's address) finds the row in one partition.
 */
export function newTextId(localDate: string): string {
  return `${localDate.replaceAll('-', '')}-${randomUUID().replaceAll('-', '')}`;
}

const form = /^(\d{4})(\d{2})(\d{2})-[0-9a-f]{32}$/;

/** The local date in an id, or null for what is no id of a text: it may come from outside. */
export function localDateOf(id: string): string | null {
  const match = form.exec(id);
  if (match === null) return null;
  const [, year, month, day] = match;
  // A year that Postgres does not have.
  if (year === '0000') return null;
  try {
    return Temporal.PlainDate.from(`${year}-${month}-${day}`).toString();
  } catch {
    return null;
  }
}

/** The key of a text that we ourselves made or were handed. */
export function keyOf(id: string): { id: string; local_date: string } {
  const localDate = localDateOf(id);
  if (localDate === null) throw new Error(`Not the id of a text: ${id}`);
  return { id, local_date: localDate };
}
