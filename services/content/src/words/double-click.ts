import { lockKey } from '@daylift/database/advisory-locks';
import type { Trx } from '../database.ts';

/** An identical item created this soon is a double click or a repeated call. */
const doubleClickMs = 10_000;

/** Returns the time since when identical items count as one. */
export const duplicatesSince = (now: Date): Date => new Date(now.getTime() - doubleClickMs);

/** Serializes concurrent calls that create the same item. */
export async function lockDuplicates(trx: Trx, ...words: string[]): Promise<void> {
  await lockKey(trx, JSON.stringify(words));
}
