import { type Kysely, sql, type Transaction } from 'kysely';
import type { ContentDatabase } from '../database.ts';

/** The same thing made again so soon is the second press of a double click, or a call that was repeated. */
const doubleClickMs = 10_000;

/** Since when something of the same words counts as the same thing. */
export const sinceForTwins = (now: Date): Date => new Date(now.getTime() - doubleClickMs);

/** Of several calls that make the same thing at one moment, lets one at a time go on until its transaction ends. */
export async function lockTwins(
  trx: Transaction<ContentDatabase>,
  ...words: string[]
): Promise<void> {
  const key = JSON.stringify(words);
  await sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`.execute(
    trx as Kysely<ContentDatabase>,
  );
}
