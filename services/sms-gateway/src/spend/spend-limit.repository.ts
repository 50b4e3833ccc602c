import { hourMs } from '@daylift/clock/durations';
import { isRecent } from '@daylift/database/partitions';
import { type Kysely, sql, type Transaction } from 'kysely';
import type { SmsDatabase } from '../database.ts';
import { logDay } from '../texts/due-texts.repository.ts';
import { takePlace } from './spend.repository.ts';

type Db = Kysely<SmsDatabase>;

export interface SubscribersOfHour {
  timezone: string;
  delivery_hour: number;
  /** Null for daily texts. */
  weekday: number | null;
  subscribers: number;
}

/** Returns how many may get a text at which local hour. */
export async function countSubscribersByHour(db: Db, now: Date): Promise<SubscribersOfHour[]> {
  const { rows } = await sql<SubscribersOfHour>`
    select timezone, delivery_hour, case when frequency = 'weekly' then weekday end as weekday,
      count(*)::int as subscribers
    from recipients
    where is_active and delivery_enabled and consent = 'granted' and entitled and deleted_at is null
      and (entitled_until is null or entitled_until > ${now})
      and timezone is not null and delivery_hour is not null
    group by 1, 2, 3`.execute(db);
  return rows;
}

/** Returns how many texts the provider accepted since an instant, and how many wait to be sent. */
export async function countSpent(
  db: Db,
  since: Date,
  now: Date,
): Promise<{ sent: number; queued: number }> {
  const { rows } = await sql<{ sent: number; queued: number }>`
    select (select coalesce(sum(sent), 0)::int from sender_hours where hour >= ${since}) as sent,
      (select count(*)::int from texts where state in ('queued', 'inflight') and ${isRecent(now)}) as queued`.execute(
    db,
  );
  return rows[0]!;
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

export interface ReleasedOfSlot {
  timezone: string;
  delivery_hour: number;
  local_date: string;
  texts: number;
}

/** Returns how many daily texts of the slots that have begun within the hour were taken over. */
export async function countReleased(db: Db, now: Date): Promise<ReleasedOfSlot[]> {
  const today = now.toISOString().slice(0, 10);
  const { rows } = await sql<ReleasedOfSlot>`
    select slot->>'timezone' as timezone, (slot->>'delivery_hour')::int as delivery_hour, local_date,
      count(*)::int as texts
    from texts
    where ${logDay} in (${today}::date - 1, ${today}::date, ${today}::date + 1) and ${isRecent(now)}
      and created_at > ${new Date(now.getTime() - hourMs)} and kind = 'daily' and slot is not null
    group by 1, 2, 3`.execute(db);
  return rows;
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
