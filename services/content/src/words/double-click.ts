import { type Kysely, sql, type Transaction } from 'kysely';
import type { ContentDatabase } from '../database.ts';

/** An identical item created this soon is a double click or a repeated call. */
const doubleClickMs = 10_000;

/** Returns the time since when identical items count as one. */
export const duplicatesSince = (now: Date): Date => new Date(now.getTime() - doubleClickMs);

/** Serializes concurrent calls that create the same item. */
export async function lockDuplicates(
  trx: Transaction<ContentDatabase>,
  ...words: string[]
): Promise<void> {
  const key = JSON.stringify(words);
  await sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`.execute(
    trx as Kysely<ContentDatabase>,
  );
}
