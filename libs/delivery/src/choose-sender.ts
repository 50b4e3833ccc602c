import type { Sender } from '@daylift/contracts/senders.http';

export type ChoosableSender = Pick<Sender, 'number' | 'type' | 'country' | 'state' | 'weight'>;

/**
 * Returns the active sender for a new subscriber: one of their country, else any number, with the smallest share of its
 * hour in use, by weight. `load` has the subscribers of the hour by sender.
 */
export function chooseSender<T extends ChoosableSender>(
  pool: T[],
  country: string | null,
  load: Map<string, number>,
  hourlyCapacity: (sender: T) => number,
): T | null {
  const active = pool.filter(({ state }) => state === 'active');
  const near = active.filter((one) => one.country === country);
  const candidates = near.length > 0 ? near : active.filter(({ type }) => type !== 'alphanumeric');
  const use = (one: T) => {
    const share = ((load.get(one.number) ?? 0) + 1) / hourlyCapacity(one);
    // A full one comes after all that have room.
    return share <= 1 ? share / one.weight : share;
  };
  const [best] = candidates.toSorted((one, other) => use(one) - use(other));
  return best ?? null;
}
