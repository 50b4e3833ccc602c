import type { SmsStats, TextPrice } from '@daylift/contracts/sms.http';
import { type Kysely, sql } from 'kysely';
import type { SmsDatabase } from '../database.ts';

/**
 * Returns totals of all scheduled texts from the daily counts, without tests and transactional texts. A text counts as
 * sent if the provider was asked to take it, and as successful unless the provider or a carrier said otherwise or the
 * outcome is unknown.
 */
export async function findStatistics(db: Kysely<SmsDatabase>): Promise<SmsStats> {
  const result = await sql<{ successful: number; failed: number; cost: string }>`
    select sum(successful)::int as successful, sum(failed)::int as failed, sum(cost)::text as cost from (
      select coalesce(sum(successful), 0) as successful, coalesce(sum(failed), 0) as failed, coalesce(sum(cost), 0) as cost
      from daily_counts
      union all
      select coalesce(sum(day_successful), 0), coalesce(sum(day_failed), 0), coalesce(sum(day_cost), 0)
      from count_changes
    ) as parts`.execute(db);
  const { successful, failed, cost } = result.rows[0]!;
  const total = successful + failed;
  return {
    total_sent: total,
    successful,
    failed,
    success_rate: total === 0 ? 0 : Math.round((successful / total) * 1_000) / 10,
    total_cost: Number(cost),
  };
}

/** Returns dollars per part from the latest receipt. */
export async function findPrice(
  db: Kysely<SmsDatabase>,
  untilFirstReceipt: string,
): Promise<Omit<TextPrice, 'rate_per_second'>> {
  const result = await sql<{ per_part: string; currency: string }>`
    select trim_scale(round(cost / parts, 5))::text as per_part, coalesce(currency, 'USD') as currency
    from receipts where cost > 0 and parts > 0 order by received_at desc limit 1`.execute(db);
  return result.rows[0] ?? { per_part: untilFirstReceipt, currency: 'USD' };
}

/** Returns whether `findPrice` returns the price of a receipt. */
export async function hasPricedReceipt(db: Kysely<SmsDatabase>): Promise<boolean> {
  const { rows } = await sql<{ priced: boolean }>`
    select exists (select from receipts where cost > 0 and parts > 0) as priced`.execute(db);
  return rows[0]!.priced;
}
