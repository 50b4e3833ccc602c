import { type Kysely, sql, type Transaction } from 'kysely';
import type { SmsDatabase } from '../database.ts';
import type { TextCostsTable } from './text-costs.table.ts';

type Trx = Transaction<SmsDatabase>;

/** Texts of a date to numbers with the same prefix, and one of these numbers. */
export interface CostGroup {
  date: string;
  number: string | null;
  texts: number;
  /** In hundred-thousandths of the currency, as exact as the receipts. */
  units: number;
}

/** Long enough for a country code and the area codes of +1. */
const prefixLength = 5;

export async function sumCosts(db: Kysely<SmsDatabase>, since: string): Promise<CostGroup[]> {
  const { rows } = await sql<CostGroup>`
    select local_date as date, min(to_number) as number, count(*)::integer as texts,
      (sum(cost) * 100000)::bigint as units
    from texts where local_date >= ${since} and cost is not null
    group by local_date, left(to_number, ${prefixLength})`.execute(db);
  return rows;
}

export async function hasCosts(trx: Trx): Promise<boolean> {
  const row = await trx.selectFrom('text_costs').select('date').limit(1).executeTakeFirst();
  return row !== undefined;
}

export function findCosts(trx: Trx, since: string): Promise<TextCostsTable[]> {
  return trx.selectFrom('text_costs').selectAll().where('date', '>=', since).execute();
}

export async function replaceCosts(
  trx: Trx,
  date: string,
  countries: Omit<TextCostsTable, 'date'>[],
): Promise<void> {
  await trx.deleteFrom('text_costs').where('date', '=', date).execute();
  await trx
    .insertInto('text_costs')
    .values(countries.map((country) => ({ ...country, date })))
    .execute();
}
