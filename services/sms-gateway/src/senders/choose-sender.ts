import { hourlyCapacity } from './sender-limits.ts';
import type { SenderRow } from './senders.table.ts';

/**
 * Returns the active sender for a new subscriber: one of their country, else any number, with the smallest share of its
 * hour in use, by weight. `load` has the subscribers of the hour by sender.
 */
export function chooseSender(
  pool: SenderRow[],
  country: string | null,
  load: Map<string, number>,
): SenderRow | null {
  const active = pool.filter(({ state }) => state === 'active');
  const near = active.filter((one) => one.country === country);
  const candidates = near.length > 0 ? near : active.filter(({ type }) => type !== 'alphanumeric');
  const use = (one: SenderRow) => {
    const share = ((load.get(one.number) ?? 0) + 1) / hourlyCapacity(one);
    // A full one comes after all that have room.
    return share <= 1 ? share / one.weight : share;
  };
  const [best] = candidates.toSorted((one, other) => use(one) - use(other));
  return best ?? null;
}
