import { dayMs, hourMs } from '@daylift/clock/durations';
import type { Cleanup } from '@daylift/database/cleanup';
import { sql, type Transaction } from 'kysely';
import type { SmsDatabase } from '../database.ts';

/** Returns when the number was texted in the last 24 hours, and locks the row. */
export async function lockNumber(
  trx: Transaction<SmsDatabase>,
  numberHash: string,
  now: Date,
): Promise<Date[]> {
  await trx
    .insertInto('number_spend')
    .values({ number_hash: numberHash, changed_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const { texted_at } = await trx
    .selectFrom('number_spend')
    .select('texted_at')
    .where('number_hash', '=', numberHash)
    .forUpdate()
    .executeTakeFirstOrThrow();
  return texted_at.filter((at) => at.getTime() > now.getTime() - dayMs);
}

const hourOf = (now: Date) => new Date(Math.floor(now.getTime() / hourMs) * hourMs);

/** Counts a text to an area in the current hour. Returns false if the limit is reached. */
export async function takePlace(
  trx: Transaction<SmsDatabase>,
  { area, limit, now }: { area: string; limit: number; now: Date },
): Promise<boolean> {
  const taken =
    await sql`insert into area_spend as spend (area, hour, texts) values (${area}, ${hourOf(now)}, 1)
    on conflict (area, hour) do update set texts = spend.texts + 1 where spend.texts < ${limit}
    returning texts`.execute(trx);
  return taken.rows.length === 1;
}

/** Removes a text that was refused after all from the areas that counted it in this transaction. */
export async function returnPlaces(
  trx: Transaction<SmsDatabase>,
  areas: string[],
  now: Date,
): Promise<void> {
  if (areas.length === 0) return;
  await trx
    .updateTable('area_spend')
    .set({ texts: sql<number>`texts - 1` })
    .where('area', 'in', areas)
    .where('hour', '=', hourOf(now))
    .execute();
}

export async function storeTexted(
  trx: Transaction<SmsDatabase>,
  numberHash: string,
  texted: Date[],
  now: Date,
): Promise<void> {
  await trx
    .updateTable('number_spend')
    .set({ texted_at: texted, changed_at: now })
    .where('number_hash', '=', numberHash)
    .execute();
}

/** What no cap counts anymore. */
export const oldSpend: Cleanup<SmsDatabase>[] = [
  { table: 'number_spend', column: 'changed_at', keptMs: dayMs + hourMs },
  { table: 'area_spend', column: 'hour', keptMs: dayMs + hourMs },
];
