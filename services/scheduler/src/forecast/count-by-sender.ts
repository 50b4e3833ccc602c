import type {
  SenderCapacity,
  SendersOfSubscribers,
  SubscriberSpan,
} from '@daylift/contracts/senders.http';
import { Unavailable } from '@daylift/server/error';
import type { SchedulerDeps } from '../deps.ts';
import type { Tally } from './forecasts.table.ts';

/** A text that will be sent. */
export interface DueText {
  user_id: string;
  hour: number;
  /** From the start of the hour until the text's last window closes. */
  seconds: number;
}

type Deps = Pick<SchedulerDeps, 'smsGateway'>;

export async function readSenders({ smsGateway }: Deps): Promise<SenderCapacity[]> {
  const senders = await smsGateway.get<SenderCapacity[]>('/internal/senders');
  if (senders === null) throw new Unavailable('The senders are unavailable right now.');
  return senders;
}

/** Adds texts to the tally by sender. Those without a sender yet, or without a span, count for all. */
export async function countBySender(
  deps: Deps,
  tally: Tally,
  due: DueText[],
  span: SubscriberSpan | null,
): Promise<void> {
  if (due.length === 0) return;
  const senders = span === null ? new Map() : await sendersOf(deps, span);
  for (const { user_id, hour, seconds } of due) {
    const bySender = tally.hours[hour]!.senders;
    const number = senders.get(user_id) ?? '';
    const counts = bySender[number] ?? {};
    counts[seconds] = (counts[seconds] ?? 0) + 1;
    bySender[number] = counts;
  }
}

async function sendersOf(
  { smsGateway }: Deps,
  { after, until }: SubscriberSpan,
): Promise<Map<string, string>> {
  const query = new URLSearchParams({ until, ...(after !== undefined && { after }) });
  const known = await smsGateway.get<SendersOfSubscribers>(
    `/internal/senders/subscribers?${query}`,
  );
  return new Map(
    Object.entries(known ?? {}).flatMap(([number, ids]) =>
      ids.map((id): [string, string] => [id, number]),
    ),
  );
}
