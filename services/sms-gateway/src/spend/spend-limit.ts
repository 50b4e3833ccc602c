import type { Clock } from '@daylift/clock/clock';
import { dayMs, hourMs, minuteMs } from '@daylift/clock/durations';
import type { SpendLimitInfo } from '@daylift/contracts/sms-operations.http';
import { sendInstant } from '@daylift/delivery/send-instant';
import { localDateAt } from '@daylift/delivery/send-windows';
import type { Kysely } from 'kysely';
import type { SmsDatabase } from '../database.ts';
import {
  countRefused,
  countSpent,
  countSubscribersByHour,
  findCostPerText,
  type SubscribersOfHour,
} from './spend-limit.repository.ts';

type Db = Kysely<SmsDatabase>;

/** The daily spend limit of the provider's messaging profile. It starts again at midnight UTC. */
export interface SpendLimit {
  /** Returns whether one more text leaves enough for all texts that are still due before midnight UTC. */
  admits(db: Db): Promise<boolean>;
  /** Returns null without a limit. */
  read(db: Db): Promise<SpendLimitInfo | null>;
}

interface SpendLimitOptions {
  clock: Clock;
  /** As configured at the provider; undefined if it has none. */
  dollars: string | undefined;
  /** Until the first receipt. */
  pricePerPart: string;
}

/** Subscribers and their hours change slowly, and counting them all takes half a second for a million. */
const countedForMs = 10 * minuteMs;

export function createSpendLimit({ clock, dollars, pricePerPart }: SpendLimitOptions): SpendLimit {
  let counted: { at: number; groups: SubscribersOfHour[] } | null = null;

  async function subscribersByHour(db: Db): Promise<SubscribersOfHour[]> {
    const now = clock.now();
    if (counted === null || now.getTime() - counted.at > countedForMs)
      counted = { at: now.getTime(), groups: await countSubscribersByHour(db, now) };
    return counted.groups;
  }

  async function read(db: Db): Promise<SpendLimitInfo | null> {
    if (dollars === undefined) return null;
    const now = clock.now();
    const midnight = new Date(Math.floor(now.getTime() / dayMs) * dayMs);
    const cost = await findCostPerText(db, new Date(now.getTime() - 7 * dayMs), pricePerPart);
    const { sent, queued } = await countSpent(db, midnight, now);
    const due = countDue(await subscribersByHour(db), now, new Date(midnight.getTime() + dayMs));
    const spent = sent * cost;
    const reserved = (queued + due) * cost;
    return {
      limit: Number(dollars),
      spent: inCents(spent),
      reserved: inCents(reserved),
      cost_per_text: cost,
      texts_left: Math.max(0, Math.floor((Number(dollars) - spent - reserved) / cost + 1e-6)),
      refused: await countRefused(db, midnight),
    };
  }

  return {
    read,
    admits: async (db) => ((await read(db))?.texts_left ?? 1) > 0,
  };
}

const inCents = (value: number): number => Math.round(value * 100) / 100;

/** Returns how many texts are due from now until midnight UTC. */
function countDue(groups: SubscribersOfHour[], now: Date, until: Date): number {
  let due = 0;
  for (const { timezone, delivery_hour, weekday, subscribers } of groups) {
    const dates = new Set([localDateAt(now, timezone), localDateAt(until, timezone)]);
    for (const date of dates) {
      const at = sendInstant(date, delivery_hour, timezone);
      // An hour's texts are queued throughout it. Those already sent are counted twice until it ends.
      const isAhead = at.getTime() + hourMs > now.getTime() && at < until;
      const isToday = weekday === null || Temporal.PlainDate.from(date).dayOfWeek === weekday;
      if (isAhead && isToday) due += subscribers;
    }
  }
  return due;
}
