import { randomUUID } from 'node:crypto';

/**
 * Returns a new text id, `YYYYMMDD-<32 hex>`. The date is the text's local date and names the partition, so a job or a
 * receipt's URL leads to one partition.
 */
export function newTextId(localDate: string): string {
  return `${localDate.replaceAll('-', '')}-${randomUUID().replaceAll('-', '')}`;
}

const form = /^(\d{4})(\d{2})(\d{2})-[0-9a-f]{32}$/;

/** Returns the local date in an id, or null for an invalid id, which may come from outside. */
export function localDateOf(id: string): string | null {
  const match = form.exec(id);
  if (match === null) return null;
  const [, year, month, day] = match;
  // Postgres has no year 0.
  if (year === '0000') return null;
  try {
    return Temporal.PlainDate.from(`${year}-${month}-${day}`).toString();
  } catch {
    return null;
  }
}

/** Returns the key of a text from a trusted id. */
export function keyOf(id: string): { id: string; local_date: string } {
  const localDate = localDateOf(id);
  if (localDate === null) throw new Error(`Invalid text id: ${id}`);
  return { id, local_date: localDate };
}
