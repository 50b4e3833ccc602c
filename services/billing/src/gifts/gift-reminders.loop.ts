import { dayMs } from '@daylift/clock/durations';
import type { Loop } from '@daylift/server/loops';
import type { BillingDeps } from '../deps.ts';
import { sendNotice } from '../notices/send-notice.ts';
import { lockSubscription } from '../subscriptions/subscriptions.repository.ts';
import { giftEnding } from './gift-words.ts';
import { findUnreminded, markReminded, nextUnremindedEnd } from './gifts.repository.ts';

const leadMs = 7 * dayMs;

type Deps = Pick<BillingDeps, 'db' | 'clock' | 'product'>;

/** Emails recipients a week before their free texts end. */
export function createGiftReminderLoop(deps: Deps): Loop {
  const { db, clock } = deps;
  return {
    name: 'gift-reminders',
    everyMs: 10_000,
    async run() {
      const until = new Date(clock.now().getTime() + leadMs);
      const users = await findUnreminded(db, { after: clock.now(), until }, 100);
      for (const user of users) await remind(deps, user);
      return users.length;
    },
    nextAt: async () => {
      const end = await nextUnremindedEnd(db, new Date(clock.now().getTime() + leadMs));
      return end === null ? null : new Date(end.getTime() - leadMs);
    },
  };
}

async function remind(deps: Deps, userId: string): Promise<void> {
  await deps.db.transaction().execute(async (trx) => {
    // Gifts are locked before their recipient, as in a redemption.
    await markReminded(trx, userId, deps.clock.now());
    const row = await lockSubscription(trx, userId);
    const end = row?.comp_until ?? null;
    // A plan that renews continues automatically.
    if (row === undefined || end === null || row.entitled_until?.getTime() !== end.getTime())
      return;
    await sendNotice(trx, deps, userId, `gift-ending:${userId}:${end.toISOString()}`, (to) =>
      giftEnding(to, end),
    );
  });
}
