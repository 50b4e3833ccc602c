import { hourMs } from '@daylift/clock/durations';
import type { Forecast } from '@daylift/contracts/forecast.http';
import { eventually } from '@daylift/testing/eventually';
import type { Stack } from '../../local/stack.ts';
import type { ProductClient } from '../product-client.ts';
import { queryDatabase } from '../query-database.ts';

/** Returns a forecast as of `since` or later. */
export function computeForecast(
  product: ProductClient,
  admin: string,
  since: Date,
): Promise<Forecast> {
  return eventually(
    async () => {
      const { body } = await product.api<Forecast>('GET', '/admin/rehearsal', undefined, admin);
      return body.as_of !== null && new Date(body.as_of) >= since && body;
    },
    { within: 30_000, what: 'a forecast' },
  );
}

export interface ForecastTotals {
  hours: Record<string, number>;
  skipped: Record<string, number>;
}

export const totalsOf = ({ hours, skipped }: Forecast): ForecastTotals => ({
  hours: Object.fromEntries(hours.map(({ starts_at, people }) => [starts_at, people])),
  skipped: Object.fromEntries(skipped.map(({ key, people }) => [key, people])),
});

/** Returns what actually happened: texts in the provider's log, and skipped dispatches. */
export async function countActual(
  { as_of, hours }: Forecast,
  product: ProductClient,
  stack: Stack,
): Promise<ForecastTotals> {
  const counts = new Map(hours.map(({ starts_at }) => [starts_at, 0]));
  for (const { accepted_at } of await product.texts()) {
    const hour = new Date(Math.floor(Date.parse(accepted_at) / hourMs) * hourMs).toISOString();
    const count = counts.get(hour);
    if (count !== undefined && accepted_at > (as_of ?? '')) counts.set(hour, count + 1);
  }
  const until = new Date(Date.parse(hours[0]?.starts_at ?? '') + hours.length * hourMs);
  const skipped = await queryDatabase<{ key: string; people: number }>(
    stack,
    `select state || ':' || reason as key, count(distinct user_id)::int as people from scheduler.dispatches
     where state in ('skipped', 'missed') and settled_at > $1 and settled_at < $2 group by 1`,
    [as_of, until],
  );
  return {
    hours: Object.fromEntries(counts),
    skipped: Object.fromEntries(skipped.map(({ key, people }) => [key, people])),
  };
}
