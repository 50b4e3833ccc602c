import type { Clock } from '@daylift/clock/clock';
import { dayMs } from '@daylift/clock/durations';
import type { SpendLimitInfo } from '@daylift/contracts/sms-operations.http';
import type { Kysely, Selectable } from 'kysely';
import type { SmsDatabase } from '../database.ts';
import { countTransactional, findDueTexts } from './due-texts.repository.ts';
import type { DueTextsTable } from './spend.table.ts';
import {
  type Costs,
  countAllTaken,
  countQueued,
  countSent,
  countTaken,
  findCosts,
} from './spend-limit.repository.ts';

type Db = Kysely<SmsDatabase>;

/** The daily spend limit of the provider's messaging profile. It resets at midnight UTC. */
export interface SpendLimit {
  /**
   * Returns whether the texts that the caps have counted and `more` texts leave enough for queued texts and for all
   * texts due before midnight UTC.
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

/** Texts to strangers wait for each other, so they share the figures of a few seconds. */
const measuredForMs = 5_000;

export function createSpendLimit({ clock, dollars, pricePerPart }: SpendLimitOptions): SpendLimit {
  let latest: { at: number; measured: ReturnType<typeof measure> } | null = null;

  const findRecentCosts = (db: Db) =>
    findCosts(db, new Date(clock.now().getTime() - 7 * dayMs), pricePerPart);

  async function measure(db: Db, limit: number) {
    const now = clock.now();
    const midnight = new Date(Math.floor(now.getTime() / dayMs) * dayMs);
    const costs = await findRecentCosts(db);
    // Read before the queue, so a text queued in between is counted twice rather than never.
    const taken = await countTaken(db, midnight);
    const figure = await findDueTexts(db, now);
    // The scheduler's figure includes daily texts and announcements that are queued here.
    const queued = await countQueued(db, now, figure === undefined ? 'all' : 'transactional');
    const sent = await countSent(db, midnight);
    const due = figure === undefined ? 0 : await countDue(db, figure, sent, now);
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
        texts_left: Math.max(0, Math.floor(left / costs.highest + rounding)),
        refused: taken.refused,
      };
    },
  };
}

const rounding = 1e-6;
const inCents = (value: number): number => Math.round(value * 100) / 100;

/** Returns how many of the scheduler's texts are due until midnight UTC, without those sent since it counted them. */
async function countDue(
  db: Db,
  due: Selectable<DueTextsTable>,
  sent: number,
  now: Date,
): Promise<number> {
  const sentSince = sent - due.sent - (await countTransactional(db, due.arrived_at, now));
  return Math.max(0, due.texts - Math.max(0, sentSince));
}
