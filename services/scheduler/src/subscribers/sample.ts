import type { Kysely } from 'kysely';
import type { SchedulerDatabase } from '../database.ts';
import { pageOfSubscribers } from '../staff-sends/staff-sends.repository.ts';
import type { Subscriber } from './subscribers.table.ts';

const pageSize = 1_000;
const pages = 3;

/**
 * Adds up figures over all for whom texts are planned. Up to some thousands everybody is looked at. Of more only the
 * first are: ids are random, so these are a fair sample, and how far their ids reach tells what share of all they are.
 * So the answer costs the same however many subscribers there are, and is right within a few parts of a hundred.
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

/** What part of all possible ids come up to this one. */
const shareOfIds = (id: string): number =>
  (Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16) + 1) / 2 ** 48;

/** No more digits than an estimate has a right to. */
const roundedOff = (figure: number): number => Number(figure.toPrecision(3));
