import { carrierDay, nextCarrierDay } from '@daylift/delivery/carrier-day';
import type { PoolDeps } from './pool-deps.ts';
import { type DayCap, dayCapsOf } from './sender-limits.ts';
import { addToDay, reserveDay } from './senders.repository.ts';
import type { SenderRow } from './senders.table.ts';

/** Reserves the texts' places within the limits per day of their senders, in Postgres, so they outlive Redis. */
export async function reserveSenderDays<T extends { text: { id: string } }>(
  { db, clock }: Pick<PoolDeps, 'db' | 'clock'>,
  texts: T[],
  senders: Map<string, SenderRow>,
) {
  const now = clock.now();
  const day = carrierDay(now);
  const reserved: { caps: DayCap[]; texts: T[] }[] = [];
  const over: T[] = [];
  for (const [number, ofSender] of Map.groupBy(texts, ({ text }) => senders.get(text.id)?.number)) {
    const sender = [...senders.values()].find((one) => one.number === number);
    const caps = sender === undefined ? [] : dayCapsOf(sender);
    const free =
      caps.length === 0
        ? ofSender.length
        : await reserveDay(db, { caps, day, wanted: ofSender.length });
    reserved.push({ caps, texts: ofSender.slice(0, free) });
    over.push(...ofSender.slice(free));
  }
  return {
    texts: reserved.flatMap((one) => one.texts),
    /** Texts over the daily limit. */
    over,
    untilNextDayMs: nextCarrierDay(now).getTime() - now.getTime(),
    async returnUnused(used: Set<string>): Promise<void> {
      for (const one of reserved) {
        const unused = one.texts.filter(({ text }) => !used.has(text.id)).length;
        await addToDay(db, { caps: one.caps, day, texts: -unused });
      }
    },
  };
}
