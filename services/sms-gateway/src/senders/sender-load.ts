import type { SenderLoad } from '@daylift/contracts/senders.http';
import { carrierDay } from '@daylift/delivery/carrier-day';
import type { SmsDeps } from '../deps.ts';
import { dayCapsOf, fullRateOf, hourlyCapacity } from './sender-limits.ts';
import { findDay, findSenders, findSendersOf, firstSender } from './senders.repository.ts';

/** Returns the pool with its limits, and the senders that these subscribers' next texts will have. */
export async function readSenderLoad(deps: SmsDeps, userIds: string[]): Promise<SenderLoad> {
  const [pool, used, recipients] = await Promise.all([
    findSenders(deps),
    findDay(deps.db, carrierDay(deps.clock.now())),
    findSendersOf(deps.db, userIds),
  ]);
  const canMove = pool.some(({ state }) => state === 'active');
  const keepers = pool.filter(({ state }) => state !== 'draining' || !canMove);
  const numberOf = (sender: string) =>
    keepers.find(({ number }) => number === (sender === firstSender ? pool[0]?.number : sender))
      ?.number ?? null;
  const subscribers: SenderLoad['subscribers'] = {};
  for (const { user_id, phone, sender } of recipients) {
    const number = numberOf(sender);
    const isChosen = number === null && phone !== null && pool.length > 1;
    const country = isChosen ? await deps.servedCountry(phone) : null;
    subscribers[user_id] = { number, country };
  }
  return {
    account_per_second: deps.settings.SMS_RATE_PER_SECOND,
    senders: pool.map((sender) => ({
      ...sender,
      per_hour: Math.floor(hourlyCapacity(sender)),
      rates: fullRateOf(sender).map(({ key, count, perMs }) => ({ key, count, per_ms: perMs })),
      days: dayCapsOf(sender).map(({ counter, count }) => ({
        key: counter,
        count,
        used: used.get(counter) ?? 0,
      })),
    })),
    subscribers,
  };
}
