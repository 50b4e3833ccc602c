import type { Kysely } from 'kysely';
import type { SchedulerDatabase } from '../database.ts';
import { pageOfSubscribers } from './subscribers.repository.ts';
import type { Subscriber } from './subscribers.table.ts';

const pageSize = 1_000;
const pages = 3;

/**
 * Sums figures over all planned subscribers, by sampling if there are many. Ids are random, so the first few thousand
 * are a fair sample, and the last one's position gives the share. The cost is constant and the error a few percent.
 */
export async function addUpSubscribers(
  db: Kysely<SchedulerDatabase>,
  count: (subscribers: Subscriber[]) => number[] | Promise<number[]>,
): Promise<{ figures: number[]; is_estimate: boolean }> {
  let figures: number[] = [];
  let after: string | null = null;
  for (let page = 0; page < pages; page += 1) {
    const subscribers: Subscriber[] = await pageOfSubscribers(db, after, pageSize, false);
    const counted = await count(subscribers);
    figures = counted.map((figure, index) => figure + (figures[index] ?? 0));
    if (subscribers.length < pageSize) return { figures, is_estimate: false };
    after = subscribers.at(-1)?.user_id ?? null;
  }
  const share = shareOfIds(after ?? '');
  return { figures: figures.map((figure) => roundedOff(figure / share)), is_estimate: true };
}

/** Returns the share of all possible ids up to this one. */
const shareOfIds = (id: string): number =>
  (Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16) + 1) / 2 ** 48;

/** Rounds an estimate to its significant digits. */
const roundedOff = (figure: number): number => Number(figure.toPrecision(3));
