import { isRecent } from '@daylift/database/partitions';
import { type Kysely, sql, type Transaction } from 'kysely';
import type { SmsDatabase } from '../database.ts';
import { takePlace } from './spend.repository.ts';

type Db = Kysely<SmsDatabase>;

/** Returns how many texts the provider accepted since an instant. */
export async function countSent(db: Db, since: Date): Promise<number> {
  const { sent } = await db
    .selectFrom('sender_hours')
    .select(sql<number>`coalesce(sum(sent), 0)::int`.as('sent'))
    .where('hour', '>=', since)
    .executeTakeFirstOrThrow();
  return sent;
}

/** Returns how many texts wait to be sent: all, or only transactional ones. */
export async function countQueued(
  db: Db,
  now: Date,
  kinds: 'all' | 'transactional',
): Promise<number> {
  const { queued } = await db
    .selectFrom('texts')
    .select(sql<number>`count(*)::int`.as('queued'))
    .where('state', 'in', ['queued', 'inflight'])
    .where(isRecent(now))
    .$if(kinds === 'transactional', (texts) =>
      texts.where('kind', 'not in', ['daily', 'announcement']),
    )
    .executeTakeFirstOrThrow();
  return queued;
}

export interface Costs {
  /** Dollars per text, over all countries. */
  average: number;
  /** Dollars per text to the most expensive country. */
  highest: number;
  /** Returns dollars per text to a country, the highest of all if none was sent there. */
  of(country: string): number;
}

/** Returns what texts have cost since a day, or the configured price before the first receipt. */
export async function findCosts(db: Db, since: Date, untilFirstReceipt: string): Promise<Costs> {
  const rows = await db
    .selectFrom('text_costs')
    .select(['country', sql<number>`sum(texts)`.as('texts'), sql<string>`sum(cost)`.as('cost')])
    .where('date', '>=', since.toISOString().slice(0, 10))
    .where('cost', '>', '0')
    .groupBy('country')
    .execute();
  const configured = Number(untilFirstReceipt);
  const perText = new Map(rows.map(({ country, texts, cost }) => [country, Number(cost) / texts]));
  const texts = rows.reduce((sum, row) => sum + row.texts, 0);
  const cost = rows.reduce((sum, row) => sum + Number(row.cost), 0);
  const highest = Math.max(configured, ...perText.values());
  return {
    average: texts === 0 ? configured : cost / texts,
    highest,
    of: (country) => perText.get(country) ?? highest,
  };
}

const refused = 'refused:spend_limit';

/** Counts a text that the spend limit refused. */
export async function addRefused(trx: Transaction<SmsDatabase>, now: Date): Promise<void> {
  await takePlace(trx, { area: refused, limit: 1_000_000_000, now });
}

/** Returns how many texts the caps counted since an instant, and how many the spend limit refused. */
export async function countTaken(
  db: Db,
  since: Date,
): Promise<{ all: number; refused: number; byCountry: [string, number][] }> {
  const { rows } = await sql<{ area: string; texts: number }>`
    select area, sum(texts)::int as texts from area_spend
    where hour >= ${since} and (area in ('all', ${refused}) or area like 'country:%')
    group by area`.execute(db);
  const of = (area: string) => rows.find((row) => row.area === area)?.texts ?? 0;
  const byCountry = rows
    .filter(({ area }) => area.startsWith('country:'))
    .map(({ area, texts }): [string, number] => [area.slice('country:'.length), texts]);
  return { all: of('all'), refused: of(refused), byCountry };
}

/** Returns how many texts the caps counted since an instant, by primary key. */
export async function countAllTaken(db: Db, since: Date): Promise<number> {
  const { texts } = await db
    .selectFrom('area_spend')
    .select(sql<number>`coalesce(sum(texts), 0)::int`.as('texts'))
    .where('area', '=', 'all')
    .where('hour', '>=', since)
    .executeTakeFirstOrThrow();
  return texts;
}
