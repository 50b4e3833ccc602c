import { isRecent } from '@daylift/database/partitions';
import { type Kysely, sql, type Transaction } from 'kysely';
import type { SmsDatabase } from '../database.ts';
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

/** Returns dollars per text since a day, over all countries. */
export async function findCostPerText(
  db: Db,
  since: Date,
  untilFirstReceipt: string,
): Promise<number> {
  const { cost } = await db
    .selectFrom('text_costs')
    .select(sql<string | null>`sum(cost) / nullif(sum(texts), 0)`.as('cost'))
    .where('date', '>=', since.toISOString().slice(0, 10))
    .where('cost', '>', '0')
    .executeTakeFirstOrThrow();
  return Number(cost ?? untilFirstReceipt);
}

/** Returns dollars per text to a country since a day, or null without texts there. */
export async function findCostOfCountry(
  db: Db,
  country: string,
  since: Date,
): Promise<number | null> {
  const { cost } = await db
    .selectFrom('text_costs')
    .select(sql<string | null>`sum(cost) / nullif(sum(texts), 0)`.as('cost'))
    .where('date', '>=', since.toISOString().slice(0, 10))
    .where('country', '=', country)
    .executeTakeFirstOrThrow();
  return cost === null ? null : Number(cost);
}

const refused = 'refused:spend_limit';

/** Counts a text that the spend limit refused. */
export async function addRefused(trx: Transaction<SmsDatabase>, now: Date): Promise<void> {
  await takePlace(trx, { area: refused, limit: 1_000_000_000, now });
}

export async function countRefused(db: Db, since: Date): Promise<number> {
  const { texts } = await db
    .selectFrom('area_spend')
    .select(sql<number>`coalesce(sum(texts), 0)::int`.as('texts'))
    .where('area', '=', refused)
    .where('hour', '>=', since)
    .executeTakeFirstOrThrow();
  return texts;
}
