import { dayMs } from '@daylift/clock/durations';
import type { Cleanup } from '@daylift/database/cleanup';
import { type Kysely, sql, type Transaction } from 'kysely';
import type { SmsDatabase } from '../database.ts';
import type { NumberFacts } from '../provider/provider.ts';

type Trx = Transaction<SmsDatabase>;

/** Schedules a lookup, unless the number has been looked up. */
export async function insertLookup(
  trx: Trx,
  row: { number_hash: string; user_id: string; now: Date },
): Promise<void> {
  const { number_hash, user_id, now } = row;
  await trx
    .insertInto('number_lookups')
    .values({
      number_hash,
      user_id,
      next_try_at: now,
      changed_at: now,
      line_type: null,
      carrier: null,
    })
    .onConflict((conflict) => conflict.column('number_hash').doUpdateSet({ user_id }))
    .execute();
}

export interface DueLookup {
  number_hash: string;
  user_id: string;
  phone: string;
  tries: number;
}

/** Claims a due lookup until `until`. Skips numbers that their account no longer has. */
export async function claimLookup(
  trx: Trx,
  { now, until }: { now: Date; until: Date },
): Promise<DueLookup | null> {
  const { rows } = await sql<DueLookup & { phone: string | null }>`
    update number_lookups l set next_try_at = ${until}, tries = tries + 1
    from (select number_hash from number_lookups where next_try_at <= ${now}
      order by next_try_at limit 1 for update skip locked) as due
    where l.number_hash = due.number_hash
    returning l.number_hash, l.user_id, l.tries, (select r.phone from recipients r
      where r.user_id = l.user_id and r.number_hash = l.number_hash and r.phone_proven) as phone`.execute(
    trx,
  );
  const [due] = rows;
  if (due === undefined) return null;
  if (due.phone !== null) return { ...due, phone: due.phone };
  await trx.deleteFrom('number_lookups').where('number_hash', '=', due.number_hash).execute();
  return claimLookup(trx, { now, until });
}

export async function storeLookup(
  db: Kysely<SmsDatabase>,
  number_hash: string,
  { line_type, carrier }: NumberFacts,
  now: Date,
): Promise<void> {
  await db
    .updateTable('number_lookups')
    .set({ line_type, carrier, next_try_at: null, changed_at: now })
    .where('number_hash', '=', number_hash)
    .execute();
}

/** Null abandons it. */
export async function postponeLookup(
  db: Kysely<SmsDatabase>,
  number_hash: string,
  next_try_at: Date | null,
): Promise<void> {
  await db
    .updateTable('number_lookups')
    .set({ next_try_at })
    .where('number_hash', '=', number_hash)
    .execute();
}

export async function nextLookupAt(db: Kysely<SmsDatabase>, now: Date): Promise<Date | null> {
  const row = await db
    .selectFrom('number_lookups')
    .select((select) => select.fn.min('next_try_at').as('at'))
    .where('next_try_at', '>', now)
    .executeTakeFirst();
  return row?.at ?? null;
}

/** Returns what is known about a number; null if nothing is. */
export async function findLookup(
  db: Kysely<SmsDatabase>,
  numberHash: string | null,
): Promise<{ line_type: string | null; carrier: string | null; changed_at: Date } | null> {
  const row = await db
    .selectFrom('number_lookups')
    .select(['line_type', 'carrier', 'changed_at'])
    .where('number_hash', '=', numberHash ?? '')
    .where('line_type', 'is not', null)
    .executeTakeFirst();
  return row ?? null;
}

export async function eraseLookups(trx: Trx, userId: string): Promise<void> {
  await trx.deleteFrom('number_lookups').where('user_id', '=', userId).execute();
}

/** Numbers change carriers, so what is known about them expires. */
export const oldLookups: Cleanup<SmsDatabase> = {
  table: 'number_lookups',
  column: 'changed_at',
  keptMs: 365 * dayMs,
};
