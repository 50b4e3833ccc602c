import type {
  SenderCapacity,
  SendersOfSubscribers,
  SubscriberSpan,
} from '@daylift/contracts/senders.http';
import { dayCapsOf, sustainedRate } from './choose-sender.ts';
import type { PoolDeps } from './pool-deps.ts';
import { findSenders, findSendersOf, firstSender } from './senders.repository.ts';

type Deps = Pick<PoolDeps, 'db' | 'clock' | 'seed'>;

/** Returns what each sender can carry, for the scheduler's forecast. */
export async function readCapacities(deps: Deps): Promise<SenderCapacity[]> {
  return (await findSenders(deps)).map((sender) => {
    const caps = dayCapsOf(sender).map(({ count }) => count);
    return {
      number: sender.number,
      state: sender.state,
      per_second: sustainedRate(sender),
      per_day: caps.length === 0 ? null : Math.min(...caps),
    };
  });
}

export async function readSendersOf(
  deps: Deps,
  span: SubscriberSpan,
): Promise<SendersOfSubscribers> {
  const [pool, rows] = await Promise.all([findSenders(deps), findSendersOf(deps.db, span)]);
  const numberOf = (sender: string) => (sender === firstSender ? pool[0]?.number : sender);
  const kept = new Set(
    pool.filter(({ state }) => state !== 'draining').map(({ number }) => number),
  );
  const known: SendersOfSubscribers = {};
  for (const { user_id, sender } of rows) {
    const number = numberOf(sender);
    if (number === undefined || !kept.has(number)) continue;
    known[number] ??= [];
    known[number].push(user_id);
  }
  return known;
}
