import { minuteMs } from '@daylift/clock/durations';
import type { Loop } from '@daylift/server/loops';
import type { BillingDeps } from '../deps.ts';
import { handledEventTypes } from './event-task.ts';
import {
  claimReconcile,
  findUnknown,
  listedMs,
  storeReconciled,
  takeEvent,
} from './stripe-events.repository.ts';

/** Read twice, because an event may be listed a little after its own time. */
const overlapMs = 30 * minuteMs;

/** Stripe lists at most this many types of events at a time. */
const maxTypes = 20;

type Deps = Pick<BillingDeps, 'db' | 'clock' | 'log' | 'stripe'>;

/** Finds events whose webhooks were lost, every 15 minutes of product time. */
export function createReconcileLoop(deps: Deps): Loop {
  return {
    name: 'reconcile-events',
    everyMs: 10_000,
    settleEveryMs: minuteMs,
    async run() {
      const now = deps.clock.now();
      const seenUntil = await claimReconcile(deps.db, {
        now,
        firstSince: new Date(now.getTime() - listedMs),
        next: new Date(now.getTime() + 15 * minuteMs),
      });
      if (seenUntil === null) return 0;
      try {
        const found = await storeMissed(deps, seenUntil, now);
        await storeReconciled(deps.db, now);
        if (found > 0) deps.log.info({ found }, 'events found without webhook');
        return found;
      } catch (error) {
        deps.log.warn({ err: error }, 'event reconciliation failed');
        return 0;
      }
    },
  };
}

async function storeMissed(deps: Deps, seenUntil: Date, now: Date): Promise<number> {
  const since = Math.floor((seenUntil.getTime() - overlapMs) / 1000);
  let found = 0;
  for (let from = 0; from < handledEventTypes.length; from += maxTypes) {
    const types = handledEventTypes.slice(from, from + maxTypes);
    const filter = { created: { gte: since }, types, limit: 100 };
    let page = await deps.stripe.events.list(filter);
    for (;;) {
      // Almost all are known.
      for (const event of await findUnknown(deps.db, page.data))
        if (await takeEvent(deps.db, event, 'reconcile', now)) found += 1;
      const last = page.data.at(-1);
      if (!page.has_more || last === undefined) break;
      page = await deps.stripe.events.list({ ...filter, starting_after: last.id });
    }
  }
  return found;
}
