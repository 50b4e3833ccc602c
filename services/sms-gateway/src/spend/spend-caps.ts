import { dayMs, hourMs } from '@daylift/clock/durations';
import type { Logger } from '@daylift/server/logger';
import { Counter } from '@daylift/server/metrics';
import { type Kysely, sql, type Transaction } from 'kysely';
import type { SmsDatabase } from '../database.ts';

/** Limits on texts to numbers without a proven, paying subscriber. */
export interface SpendCaps {
  perNumberDay: number;
  perPrefixHour: number;
  perCountryHour: number;
  perHour: number;
}

export interface SpendDeps {
  log: Logger;
  spendCaps: SpendCaps;
  /** Returns the country of a number, or null if it isn't served. */
  servedCountry(number: string): Promise<string | null>;
}

/** Minimum time between two texts to one number. */
const spacingMs = 60_000;
const longestWaitMs = 5 * spacingMs;

const caps = ['not_served', 'number_minute', 'number_day', 'prefix', 'country', 'all'] as const;
type Cap = (typeof caps)[number];

const refused = new Counter({
  name: 'sms_spend_refused_total',
  help: 'Texts to unpaid numbers rejected by a spend cap, by cap',
  labelNames: ['cap'],
});
for (const cap of caps) refused.labels(cap).inc(0);

interface Spend {
  user_id: string;
  phone: string;
  number_hash: string;
  now: Date;
  /**
   * A text after a checkout, whose cost the card bounds: it is never delayed, delays no code, and doesn't count toward
   * area caps.
   */
  isPaidFor: boolean;
}

/** Reserves a text under every cap. Returns when it may be sent, or null if a cap refuses it. */
export async function reserveText(
  trx: Transaction<SmsDatabase>,
  spend: Spend,
  deps: SpendDeps,
): Promise<Date | null> {
  const result = await reserve(trx, spend, deps);
  if (result instanceof Date) return result;
  refused.labels(result).inc();
  deps.log.warn({ user_id: spend.user_id, cap: result }, 'text refused by spend cap');
  return null;
}

async function reserve(
  trx: Transaction<SmsDatabase>,
  spend: Spend,
  { servedCountry, spendCaps }: SpendDeps,
): Promise<Date | Cap> {
  const { phone, number_hash, now } = spend;
  const country = await servedCountry(phone);
  if (country === null) return 'not_served';
  const texted = await lockNumber(trx, number_hash, now);
  if (texted.length >= spendCaps.perNumberDay) return 'number_day';
  const latest = Math.max(0, ...texted.map((at) => at.getTime()));
  const at = spend.isPaidFor ? now : new Date(Math.max(now.getTime(), latest + spacingMs));
  const countedAt = spend.isPaidFor ? new Date(now.getTime() - spacingMs) : at;
  if (at.getTime() - now.getTime() > longestWaitMs) return 'number_minute';
  // Narrowest first, so a text refused by its prefix doesn't count toward the others.
  const areas: [Cap, string, number][] = [
    ['prefix', `prefix:${phone.slice(0, -4)}`, spendCaps.perPrefixHour],
    ['country', `country:${country}`, spendCaps.perCountryHour],
    ['all', 'all', spendCaps.perHour],
  ];
  for (const [cap, area, limit] of spend.isPaidFor ? [] : areas)
    if (!(await takePlace(trx, { area, limit, now }))) return cap;
  await trx
    .updateTable('number_spend')
    .set({ texted_at: [...texted, countedAt], changed_at: now })
    .where('number_hash', '=', number_hash)
    .execute();
  return at;
}

/** Returns when the number was texted in the last 24 hours, and locks the row. */
async function lockNumber(
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

async function takePlace(
  trx: Transaction<SmsDatabase>,
  { area, limit, now }: { area: string; limit: number; now: Date },
): Promise<boolean> {
  const hour = new Date(Math.floor(now.getTime() / hourMs) * hourMs);
  const taken =
    await sql`insert into area_spend as spend (area, hour, texts) values (${area}, ${hour}, 1)
    on conflict (area, hour) do update set texts = spend.texts + 1 where spend.texts < ${limit}
    returning texts`.execute(trx);
  return taken.rows.length === 1;
}

export async function forgetSpend(db: Kysely<SmsDatabase>, now: Date): Promise<void> {
  const yesterday = new Date(now.getTime() - dayMs - hourMs);
  await db.deleteFrom('number_spend').where('changed_at', '<', yesterday).execute();
  await db.deleteFrom('area_spend').where('hour', '<', yesterday).execute();
}
