import { type Kysely, sql, type Transaction } from 'kysely';
import type { SmsDatabase } from '../database.ts';
import type { OptOutsTable } from './opt-outs.table.ts';

export interface OptOutChange {
  numberHash: string;
  /** When the person replied. */
  at: Date;
  source: OptOutsTable['source'];
  /** Whether the provider has blocked the number. */
  isBlocked?: boolean;
}

export async function isOptedOut(db: Kysely<SmsDatabase>, numberHash: string): Promise<boolean> {
  const row = await db
    .selectFrom('opt_outs')
    .select('opted_out')
    .where('number_hash', '=', numberHash)
    .executeTakeFirst();
  return row?.opted_out ?? false;
}

/**
 * Returns null if the number has a later reply, because replies can arrive out of order. Inserts before locking,
 * because two transactions that both find no row wouldn't wait for each other. Consumers keep the latest `at`, so a
 * reply of the same millisecond is dated after the one it reverses.
 */
export async function storeOptOut(
  trx: Transaction<SmsDatabase>,
  { numberHash, at, source, isBlocked = false }: OptOutChange,
  optedOut: boolean,
): Promise<{ at: Date; changed: boolean } | null> {
  await trx
    .insertInto('opt_outs')
    .values({
      number_hash: numberHash,
      opted_out: false,
      changed_at: new Date(0),
      source,
      blocked_at: null,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const before = await trx
    .selectFrom('opt_outs')
    .select(['opted_out', 'changed_at'])
    .where('number_hash', '=', numberHash)
    .forUpdate()
    .executeTakeFirstOrThrow();
  if (at < before.changed_at) return null;
  const changed = before.opted_out !== optedOut;
  const isTied = changed && at.getTime() === before.changed_at.getTime();
  const changedAt = isTied ? new Date(at.getTime() + 1) : at;
  await trx
    .updateTable('opt_outs')
    .set({
      ...{ opted_out: optedOut, changed_at: changedAt, source },
      ...(optedOut ? isBlocked && { blocked_at: at } : { blocked_at: null }),
    })
    .where('number_hash', '=', numberHash)
    .execute();
  return { at: changedAt, changed };
}

/**
 * SQL: the date of a recipient's STOP, START or change of number of `at`. Consumers keep the latest, but a STOP may
 * become known only after the number changed.
 */
const datedAfterLast = (at: Date) => sql<Date>`greatest(${at}, opted_at + interval '1 ms')`;

/** Returns the date to publish for a change of number. */
export async function dateNumberChange(
  trx: Transaction<SmsDatabase>,
  userId: string,
  at: Date,
): Promise<Date> {
  const { opted_at } = await trx
    .updateTable('recipients')
    .set({ opted_at: datedAfterLast(at) })
    .where('user_id', '=', userId)
    .returning('opted_at')
    .executeTakeFirstOrThrow();
  return opted_at ?? at;
}

/**
 * Raises the revision of recipients with the number. Returns those who have paid for texts to it or proven it, and the
 * named one, with the dates to publish; others may only have typed it in.
 */
export async function touchRecipients(
  trx: Transaction<SmsDatabase>,
  { numberHash, at, named }: { numberHash: string; at: Date; named?: string | undefined },
): Promise<{ user_id: string; at: Date }[]> {
  const touched = await trx
    .updateTable('recipients')
    .set({ revision: sql`revision + 1`, opted_at: datedAfterLast(at) })
    .where((where) =>
      where.or([where('number_hash', '=', numberHash), where('pending_hash', '=', numberHash)]),
    )
    .returning(['user_id', 'number_hash', 'phone_proven', 'subscription_version', 'opted_at'])
    .execute();
  return touched
    .filter(
      (one) =>
        one.number_hash === numberHash &&
        (one.phone_proven || one.subscription_version > 0 || one.user_id === named),
    )
    .map(({ user_id, opted_at }) => ({ user_id, at: opted_at ?? at }));
}
