import type { RateLimit } from '../rate/rate-limiter.ts';
import type { SenderRow } from './senders.table.ts';

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

function fullRateOf(sender: SenderRow): RateLimit[] {
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

/** Returns how many texts a sender may send in an hour. */
export function hourlyCapacity(sender: SenderRow): number {
  const perHour = fullRateOf(sender).map(({ count, perMs }) => (count * 3_600_000) / perMs);
  return Math.min(...perHour, ...dayCapsOf(sender).map(({ count }) => count));
}

/**
 * Returns the active sender for a new subscriber: one of their country, else any number, with the smallest share of its
 * hour in use, by weight. `load` has the subscribers of the hour by sender.
 */
export function chooseSender(
  pool: SenderRow[],
  country: string | null,
  load: Map<string, number>,
): SenderRow | null {
  const active = pool.filter(({ state }) => state === 'active');
  const near = active.filter((one) => one.country === country);
  const candidates = near.length > 0 ? near : active.filter(({ type }) => type !== 'alphanumeric');
  const use = (one: SenderRow) => {
    const share = ((load.get(one.number) ?? 0) + 1) / hourlyCapacity(one);
    // A full one comes after all that have room.
    return share <= 1 ? share / one.weight : share;
  };
  const [best] = candidates.toSorted((one, other) => use(one) - use(other));
  return best ?? null;
}
