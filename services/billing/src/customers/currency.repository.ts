import { type Currency, currencies } from '@daylift/contracts/plans';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Db, Trx } from '../database.ts';

export async function storeCurrency(trx: Trx, userId: string, currency: Currency): Promise<void> {
  await trx
    .updateTable('customers')
    .set({ currency })
    .where('user_id', '=', userId)
    .where('currency', 'is', null)
    .execute();
}

/** SQL condition: the user pays in the currency. Reads an index of those who don't pay in US dollars. */
export const paysIn = (userId: string, currency: Currency): RawBuilder<SqlBool> =>
  currency === 'usd'
    ? sql<SqlBool>`not exists (select from customers payer
        where payer.user_id = ${sql.raw(userId)} and payer.currency <> 'usd')`
    : sql<SqlBool>`${sql.raw(userId)} in (select payer.user_id from customers payer
        where payer.currency = ${currency} and payer.currency <> 'usd')`;

/** Returns the currencies other than US dollars that anyone's payments are in. */
export async function findOtherCurrencies(db: Db): Promise<Currency[]> {
  const { rows } = await sql<{ currency: Currency }>`
    select currency from unnest(${[...currencies]}::text[]) as known (currency)
    where currency <> 'usd' and exists (select from customers
      where customers.currency = known.currency and customers.currency <> 'usd')`.execute(db);
  return rows.map((row) => row.currency);
}
