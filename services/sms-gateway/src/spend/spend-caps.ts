import type { Logger } from '@daylift/server/logger';
import { Counter } from '@daylift/server/metrics';
import type { Transaction } from 'kysely';
import type { SmsDatabase } from '../database.ts';
import { strangersPerHour } from '../senders/sender-limits.ts';
import { findActive } from '../senders/senders.repository.ts';
import { findPrefixCap } from './prefix-caps.ts';
import { lockNumber, returnPlaces, storeTexted, takePlace } from './spend.repository.ts';
import { addRefused } from './spend-limit.repository.ts';
import type { SpendLimit } from './spend-limit.ts';

/** Limits on texts to numbers without an active, confirmed subscriber. */
export interface SpendCaps {
  perNumberDay: number;
  perPrefixHour: number;
  perCountryHour: number;
  /** Lowers the cap of a country where texts are expensive. */
  dollarsPerCountryHour: number;
  perHour: number;
  /** Texts per hour by prefix of the number, for ranges that cost more; 0 for none. */
  highCost: Map<string, number>;
}

export interface SpendDeps {
  log: Logger;
  spendCaps: SpendCaps;
  spendLimit: SpendLimit;
  /** Returns the country of a number, or null if it isn't served. */
  servedCountry(number: string): Promise<string | null>;
}

/** Minimum time between two texts to one number. */
const spacingMs = 60_000;
export const maxWaitMs = 5 * spacingMs;

const caps = [
  'not_served',
  'number_minute',
  'number_day',
  'high_cost',
  'prefix',
  'country',
  'all',
  'spend_limit',
] as const;
type Cap = (typeof caps)[number];

const refused = new Counter({
  name: 'sms_spend_refused_total',
  help: 'Texts to numbers without an active, confirmed subscriber refused by a spend cap, by cap',
  labelNames: ['cap'],
});
for (const cap of caps) refused.labels(cap).inc(0);

interface Spend {
  user_id: string;
  phone: string;
  number_hash: string;
  now: Date;
  /**
   * A text after a checkout. The card bounds its cost: it is never delayed, delays no code, and doesn't count toward
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
  await recordRefusal(trx, { ...spend, cap: result }, deps);
  return null;
}

/** Returns whether the spend limit has room for a reply to a stranger. */
export async function admitsReply(
  trx: Transaction<SmsDatabase>,
  now: Date,
  deps: SpendDeps,
): Promise<boolean> {
  if (await deps.spendLimit.admits(trx, 1)) return true;
  await recordRefusal(trx, { user_id: null, cap: 'spend_limit', now }, deps);
  return false;
}

async function recordRefusal(
  trx: Transaction<SmsDatabase>,
  { user_id, cap, now }: { user_id: string | null; cap: Cap; now: Date },
  { log }: SpendDeps,
): Promise<void> {
  refused.labels(cap).inc();
  if (cap === 'spend_limit') await addRefused(trx, now);
  log.warn({ user_id, cap }, 'text refused by spend cap');
}

async function reserve(
  trx: Transaction<SmsDatabase>,
  spend: Spend,
  deps: SpendDeps,
): Promise<Date | Cap> {
  const { phone, number_hash, now } = spend;
  const { spendCaps } = deps;
  const country = await deps.servedCountry(phone);
  if (country === null) return 'not_served';
  const texted = await lockNumber(trx, number_hash, now);
  if (texted.length >= spendCaps.perNumberDay) return 'number_day';
  const latest = Math.max(0, ...texted.map((at) => at.getTime()));
  const at = spend.isPaidFor ? now : new Date(Math.max(now.getTime(), latest + spacingMs));
  const countedAt = spend.isPaidFor ? new Date(now.getTime() - spacingMs) : at;
  if (at.getTime() - now.getTime() > maxWaitMs) return 'number_minute';
  if (!spend.isPaidFor) {
    const cap = await takeAreas(trx, { phone, country, now }, deps);
    if (cap !== null) return cap;
  }
  await storeTexted(trx, number_hash, [...texted, countedAt], now);
  return at;
}

/** Counts a text toward every area of its number. Returns the cap that refuses it, or null. */
async function takeAreas(
  trx: Transaction<SmsDatabase>,
  { phone, country, now }: { phone: string; country: string; now: Date },
  { spendCaps, spendLimit }: SpendDeps,
): Promise<Cap | null> {
  const highCost = findPrefixCap(spendCaps.highCost, phone);
  const cost = (await spendLimit.findCosts(trx)).of(country);
  // Queries what it needs before `all` is locked.
  if (!(await spendLimit.admits(trx, 1))) return 'spend_limit';
  const perHour = strangersPerHour(await findActive(trx));
  const affordable = Math.floor(spendCaps.dollarsPerCountryHour / cost);
  // `all` last, because its row is locked for every text.
  const areas: [Cap, string, number][] = [
    ['prefix', `prefix:${phone.slice(0, -4)}`, spendCaps.perPrefixHour],
    ['country', `country:${country}`, Math.min(spendCaps.perCountryHour, affordable)],
    ['all', 'all', Math.min(spendCaps.perHour, perHour)],
  ];
  if (highCost !== null)
    areas.unshift(['high_cost', `high_cost:${highCost.prefix}`, highCost.perHour]);
  const taken: string[] = [];
  const refuse = async (cap: Cap) => {
    await returnPlaces(trx, taken, now);
    return cap;
  };
  for (const [cap, area, limit] of areas) {
    if (limit === 0 || !(await takePlace(trx, { area, limit, now }))) return refuse(cap);
    taken.push(area);
  }
  // Again, now that one text at a time may take the rest of the limit.
  return (await spendLimit.admits(trx)) ? null : refuse('spend_limit');
}
