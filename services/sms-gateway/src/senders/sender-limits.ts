import type { RateLimit } from '../rate/rate-limiter.ts';
import type { SenderRow, SenderSeed } from './senders.table.ts';

/** The provider's limits. 10DLC: a low-volume campaign. */
export const defaultLimits = {
  toll_free: { per_second: 20, per_minute: null },
  '10dlc': { per_second: 10, per_minute: null, att_per_minute: 75, tmobile_per_day: 2_000 },
  short_code: { per_second: 1_000, per_minute: null },
  alphanumeric: { per_second: 1, per_minute: 6 },
};

const tollFree = /^\+18(00|33|44|55|66|77|88)/;

/** Returns the first sender of an empty pool. A number of the sandbox or of another country has the account's rate. */
export function firstSenderOf(
  number: string,
  sandbox: boolean,
  accountPerSecond: number,
): SenderSeed {
  const type = tollFree.test(number) ? 'toll_free' : '10dlc';
  const isAmerican = number.startsWith('+1');
  const limits = sandbox || !isAmerican ? { per_second: accountPerSecond } : defaultLimits[type];
  return { number, type, country: 'US', ...limits };
}

/** How long a sender stays slow after its last slowdown. */
export const slowedForMs = 15 * 60_000;

const secondMs = 1_000;
const minuteMs = 60_000;

/**
 * Returns the limits per second and minute of a sender, beside the account's. Recipients' carriers are unknown before
 * the send, so every text of a campaign counts against AT&T's limit. A carrier's refusals stretch all periods for a
 * while.
 */
export function rateLimitsOf(sender: SenderRow, now: Date): RateLimit[] {
  const stretch = slowedUntil(sender, now) === null ? 1 : 2 ** sender.slowdowns;
  return fullRateOf(sender).map((limit) => ({ ...limit, perMs: limit.perMs * stretch }));
}

/** Returns until when a carrier's refusals slow a sender down, or null. */
export function slowedUntil({ slowed_at }: SenderRow, now: Date): Date | null {
  if (slowed_at === null) return null;
  const until = new Date(slowed_at.getTime() + slowedForMs);
  return until > now ? until : null;
}

/** Returns the limits per second and minute of a sender without slowdowns. */
export function fullRateOf(sender: SenderRow): RateLimit[] {
  const { number, per_second, per_minute, campaign, att_per_minute } = sender;
  const limits = [{ key: `sender:${number}`, count: per_second, perMs: secondMs }];
  if (per_minute !== null)
    limits.push({ key: `minute:${number}`, count: per_minute, perMs: minuteMs });
  if (att_per_minute !== null)
    limits.push({ key: `att:${campaign ?? number}`, count: att_per_minute, perMs: minuteMs });
  return limits;
}

export interface DayCap {
  counter: string;
  count: number;
}

/** Returns the limits per day of a sender; every text of a brand counts against T-Mobile's. */
export function dayCapsOf({ number, per_day, brand, tmobile_per_day }: SenderRow): DayCap[] {
  const caps: DayCap[] = [];
  if (per_day !== null) caps.push({ counter: number, count: per_day });
  if (tmobile_per_day !== null)
    caps.push({ counter: `brand:${brand ?? number}`, count: tmobile_per_day });
  return caps;
}

const ratePerHour = (sender: SenderRow) =>
  Math.min(...fullRateOf(sender).map(({ count, perMs }) => (count * 3_600_000) / perMs));

/** Returns how many texts a sender may send in an hour. */
export function hourlyCapacity(sender: SenderRow): number {
  return Math.min(ratePerHour(sender), ...dayCapsOf(sender).map(({ count }) => count));
}

/**
 * Returns how many texts strangers may cause in an hour, by the largest sender. The day's texts keep nine tenths of the
 * hourly rate and half of a limit per day; strangers get the other half evenly, so a flood lasts only its own hours.
 */
export function strangersPerHour(senders: SenderRow[]): number {
  if (senders.length === 0) return Infinity;
  const partOf = (sender: SenderRow) =>
    Math.min(ratePerHour(sender) / 10, ...dayCapsOf(sender).map(({ count }) => count / 2 / 24));
  return Math.ceil(Math.max(...senders.map(partOf)));
}
