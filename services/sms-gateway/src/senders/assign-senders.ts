import { chooseSender } from '@daylift/delivery/choose-sender';
import type { PoolDeps } from './pool-deps.ts';
import { hourlyCapacity } from './sender-limits.ts';
import { assignSender, countInHour, findSenders, firstSender } from './senders.repository.ts';
import type { SenderRow } from './senders.table.ts';

interface AddressedText {
  text: { id: string; user_id: string | null; sender: string | null; reply_to: string | null };
  recipient: { phone: string | null; delivery_hour: number | null; timezone: string | null } | null;
  recipient_sender: string | null;
}

/**
 * Returns the sender of each text by its id; none while the sender is paused or no sender is active. `isShared`: the
 * queue may hold texts of several senders.
 */
export async function assignSenders(
  deps: PoolDeps,
  due: AddressedText[],
): Promise<{ senders: Map<string, SenderRow>; isShared: boolean }> {
  const pool = await findSenders(deps);
  const byNumber = new Map(pool.map((one) => [one.number, one]));
  const senders = new Map<string, SenderRow>();
  for (const one of due) {
    const { text } = one;
    // A reply goes out from the number that was texted, and a retry from the number of the first attempt.
    const fixed = text.sender === null ? undefined : byNumber.get(text.sender);
    const sender = fixed ?? (await senderOf(deps, pool, one));
    if (sender !== null && sender.state !== 'paused') senders.set(text.id, sender);
  }
  return { senders, isShared: pool.filter(({ state }) => state !== 'paused').length > 1 };
}

/** Returns the recipient's sender. Those without one, or with a draining one, get another and keep it. */
async function senderOf(
  deps: PoolDeps,
  pool: SenderRow[],
  { text, recipient, recipient_sender: current }: AddressedText,
): Promise<SenderRow | null> {
  const [first] = pool;
  const known = current === firstSender ? first : pool.find(({ number }) => number === current);
  if (known !== undefined && known.state !== 'draining') return known;
  const isOnly = pool.filter(({ state }) => state === 'active').length < 2;
  const number = text.reply_to ?? recipient?.phone ?? null;
  const country = isOnly || number === null ? null : await deps.servedCountry(number);
  const load =
    isOnly || recipient === null || first === undefined
      ? new Map<string, number>()
      : await countInHour(deps.db, recipient, first.number);
  const chosen = chooseSender(pool, country, load, hourlyCapacity) ?? known ?? null;
  if (chosen === null || current === null || text.user_id === null) return chosen;
  const assigned = await assignSender(deps.db, text.user_id, { from: current, to: chosen.number });
  return (
    pool.find((one) => one.number === assigned) ?? (assigned === firstSender ? first! : chosen)
  );
}
