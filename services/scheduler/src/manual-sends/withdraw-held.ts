import type { Transaction } from 'kysely';
import type { SchedulerDatabase } from '../database.ts';
import type { SchedulerDeps } from '../deps.ts';
import { cancelHeld } from '../dispatches/dispatches.repository.ts';
import { planNext } from '../planning/replan.ts';
import { lockOrCreateSubscriber } from '../subscribers/subscribers.repository.ts';

/**
 * Withdraws a manual send's held texts and plans those subscribers' usual texts again. Returns how many there were.
 * Locks subscribers before their dispatches, like all planning code.
 */
export async function withdrawHeld(
  trx: Transaction<SchedulerDatabase>,
  { clock, spreadMs }: Pick<SchedulerDeps, 'clock' | 'spreadMs'>,
  send: string,
  users: string[],
): Promise<number> {
  let withdrawn = 0;
  for (const userId of users) {
    const subscriber = await lockOrCreateSubscriber(trx, userId);
    const texts = await cancelHeld(trx, userId, send);
    if (texts > 0) await planNext(trx, subscriber, clock.now(), spreadMs);
    withdrawn += texts;
  }
  return withdrawn;
}
