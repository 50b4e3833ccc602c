import { hourMs } from '@daylift/clock/durations';
import type { DailyStats, HourlyStats } from '@daylift/contracts/sms-operations.http';
import { type Kysely, sql } from 'kysely';
import type { SmsDatabase } from '../database.ts';

type Db = Kysely<SmsDatabase>;

/** Returns the outcomes of each day up to `last`, including changes not folded yet. */
export async function findDailyOutcomes(db: Db, days: number, last: string): Promise<DailyStats[]> {
  const result = await sql<{ cost: string } & Omit<DailyStats, 'cost'>>`
    select day::date as date, coalesce(sum(successful - delivered), 0)::int as sent,
      coalesce(sum(delivered), 0)::int as delivered, coalesce(sum(failed - unknown), 0)::int as failed,
      coalesce(sum(unknown), 0)::int as unknown, coalesce(sum(missed), 0)::int as missed,
      coalesce(sum(skipped), 0)::int as skipped, coalesce(sum(cost), 0)::text as cost
    from generate_series(${last}::date - ${days - 1}::int, ${last}::date, interval '1 day') as day
    left join (
      select local_date, successful, failed, cost, delivered, unknown, missed, skipped from daily_counts
      union all
      select local_date, day_successful, day_failed, day_cost, day_delivered, day_unknown, day_missed, day_skipped
      from count_changes
    ) as counted on counted.local_date = day::date
    group by day order by day`.execute(db);
  return result.rows.map((row) => ({ ...row, cost: Number(row.cost) }));
}

/** Returns outcomes by the hour in which the text settled, up to the current one. */
export async function findHourlyOutcomes(db: Db, hours: number, now: Date): Promise<HourlyStats[]> {
  const last = new Date(Math.floor(now.getTime() / hourMs) * hourMs);
  const first = new Date(last.getTime() - (hours - 1) * hourMs);
  const result = await sql<{ hour: Date; successful: number; failed: number }>`
    select hour, coalesce(sum(successful), 0)::int as successful, coalesce(sum(failed), 0)::int as failed
    from generate_series(${first}::timestamptz, ${last}::timestamptz, interval '1 hour') as hour
    left join minute_counts on minute >= hour and minute < hour + interval '1 hour'
    group by hour order by hour`.execute(db);
  return result.rows.map((row) => ({ ...row, hour: row.hour.toISOString() }));
}
