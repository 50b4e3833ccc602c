import { dayMs, minuteMs } from '@daylift/clock/durations';
import type { Loop } from '@daylift/server/loops';
import { sql } from 'kysely';
import type { BillingDeps } from '../deps.ts';
import { handledEventTypes } from './event-task.ts';
import { deleteOldEvents, takeEvent } from './stripe-events.repository.ts';

/** As far back as Stripe lists events. */
const reachMs = 30 * dayMs;
/** Read twice, because an event may be listed a little after its own time. */
const overlapMs = 30 * minuteMs;

type Deps = Pick<BillingDeps, 'db' | 'clock' | 'log' | 'stripe'>;

/** Finds events whose webhooks were lost, every 15 minutes of product time. */
export function createReconcileLoop(deps: Deps): Loop {
  return {
    name: 'reconcile-events',
    everyMs: 10_000,
    async run() {
      const now = deps.clock.now();
      const seenUntil = await claimRun(deps, now);
      if (seenUntil === null) return 0;
      try {
        const found = await takeMissed(deps, seenUntil, now);
        await deps.db.updateTable('reconcile_state').set({ seen_until: now }).execute();
        await deleteOldEvents(deps.db, new Date(now.getTime() - reachMs - dayMs));
        if (found > 0) deps.log.info({ found }, 'events found without webhook');
        return found;
      } catch (error) {
        deps.log.warn({ err: error }, 'event reconciliation failed');
        return 0;
      }
    },
  };
}

/** One replica runs it. A failed run leaves `seen_until` for the next one. */
async function claimRun({ db }: Deps, now: Date): Promise<Date | null> {
  const next = new Date(now.getTime() + 15 * minuteMs);
  const { rows } = await sql<{ seen_until: Date }>`
    insert into reconcile_state (seen_until, next_run_at)
    values (${new Date(now.getTime() - reachMs)}, ${next})
    on conflict (singleton) do update set next_run_at = ${next} where reconcile_state.next_run_at <= ${now}
    returning seen_until`.execute(db);
  return rows[0]?.seen_until ?? null;
}

async function takeMissed(deps: Deps, seenUntil: Date, now: Date): Promise<number> {
  const since = Math.floor((seenUntil.getTime() - overlapMs) / 1000);
  let found = 0;
  const events = deps.stripe.events.list({
    created: { gte: since },
    types: handledEventTypes,
    limit: 100,
  });
  for await (const event of events) {
    if (await takeEvent(deps.db, event, 'reconcile', now)) found += 1;
  }
  return found;
}
