import type { Clock } from '@daylift/clock/clock';
import { dayMs, hourMs, minuteMs } from '@daylift/clock/durations';
import type { SpendLimitInfo } from '@daylift/contracts/sms-operations.http';
import { sendInstant } from '@daylift/delivery/send-instant';
import { localDateAt } from '@daylift/delivery/send-windows';
import type { Kysely } from 'kysely';
import type { SmsDatabase } from '../database.ts';
import {
  type Costs,
  countAllTaken,
  countReleased,
  countSpent,
  countSubscribersByHour,
  countTaken,
  findCosts,
  type ReleasedOfSlot,
  type SubscribersOfHour,
} from './spend-limit.repository.ts';

type Db = Kysely<SmsDatabase>;

/** The daily spend limit of the provider's messaging profile. It starts again at midnight UTC. */
export interface SpendLimit {
  /**
   * Returns whether the texts that the caps have counted and `more` texts leave enough for queued texts and for daily
   * texts due before midnight UTC. Announcements and manual sends count once they are queued.
   */
  admits(db: Db, more?: number): Promise<boolean>;
  /** Returns null without a limit. */
  read(db: Db): Promise<SpendLimitInfo | null>;
  findCosts(db: Db): Promise<Costs>;
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
/** Texts to strangers wait for each other, so they share the figures of a few seconds. */
const measuredForMs = 5_000;

export function createSpendLimit({ clock, dollars, pricePerPart }: SpendLimitOptions): SpendLimit {
  let counted: { at: number; groups: SubscribersOfHour[] } | null = null;
  let latest: { at: number; measured: ReturnType<typeof measure> } | null = null;

  const findRecentCosts = (db: Db) =>
    findCosts(db, new Date(clock.now().getTime() - 7 * dayMs), pricePerPart);

  async function subscribersByHour(db: Db): Promise<SubscribersOfHour[]> {
    const now = clock.now();
    if (counted === null || now.getTime() - counted.at > countedForMs)
      counted = { at: now.getTime(), groups: await countSubscribersByHour(db, now) };
    return counted.groups;
  }

  async function measure(db: Db, limit: number) {
    const now = clock.now();
    const midnight = new Date(Math.floor(now.getTime() / dayMs) * dayMs);
    const costs = await findRecentCosts(db);
    // Before the queue, so a text that is queued meanwhile is counted twice rather than never.
    const taken = await countTaken(db, midnight);
    const { sent, queued } = await countSpent(db, midnight, now);
    const span = { now, until: new Date(midnight.getTime() + dayMs) };
    const due = countDue(await subscribersByHour(db), await countReleased(db, now), span);
    // The average is of all texts, but a flood can be to expensive countries.
    const extra = taken.byCountry.reduce(
      (sum, [country, texts]) => sum + texts * Math.max(0, costs.of(country) - costs.average),
      0,
    );
    const spent = sent * costs.average + extra;
    const reserved = (queued + due) * costs.average;
    return { midnight, costs, taken, spent, reserved, left: limit - spent - reserved };
  }

  /** Returns figures that are at most a few seconds old. Concurrent callers share the queries of the first. */
  function recent(db: Db, limit: number): ReturnType<typeof measure> {
    const at = clock.now().getTime();
    if (latest === null || at - latest.at > measuredForMs) {
      const measured = measure(db, limit);
      latest = { at, measured };
      measured.catch(() => {
        latest = null;
      });
    }
    return latest.measured;
  }

  return {
    findCosts: findRecentCosts,
    async admits(db, more = 0) {
      if (dollars === undefined) return true;
      const { midnight, costs, taken, left } = await recent(db, Number(dollars));
      const since = (await countAllTaken(db, midnight)) - taken.all;
      return left + rounding >= (since + more) * costs.highest;
    },
    async read(db) {
      if (dollars === undefined) return null;
      const { costs, taken, spent, reserved, left } = await measure(db, Number(dollars));
      return {
        limit: Number(dollars),
        spent: inCents(spent),
        reserved: inCents(reserved),
        cost_per_text: costs.average,
        texts_left: Math.max(0, Math.floor(left / costs.average + rounding)),
        refused: taken.refused,
      };
    },
  };
}

const rounding = 1e-6;
const inCents = (value: number): number => Math.round(value * 100) / 100;

/** Returns how many daily texts are due until midnight UTC and not released yet. */
function countDue(
  groups: SubscribersOfHour[],
  released: ReleasedOfSlot[],
  { now, until }: { now: Date; until: Date },
): number {
  const due = new Map<string, number>();
  for (const { timezone, delivery_hour, weekday, subscribers } of groups) {
    const dates = new Set([localDateAt(now, timezone), localDateAt(until, timezone)]);
    for (const date of dates) {
      const at = sendInstant(date, delivery_hour, timezone);
      // An hour's texts are released throughout it.
      const isAhead = at.getTime() + hourMs > now.getTime() && at < until;
      const isToday = weekday === null || Temporal.PlainDate.from(date).dayOfWeek === weekday;
      const slot = `${timezone} ${delivery_hour} ${date}`;
      if (isAhead && isToday) due.set(slot, (due.get(slot) ?? 0) + subscribers);
    }
  }
  for (const { timezone, delivery_hour, local_date, texts } of released) {
    const slot = `${timezone} ${delivery_hour} ${local_date}`;
    due.set(slot, Math.max(0, (due.get(slot) ?? 0) - texts));
  }
  return [...due.values()].reduce((sum, texts) => sum + texts, 0);
}
