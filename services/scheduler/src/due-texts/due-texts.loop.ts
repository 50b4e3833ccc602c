import { dayMs, hourMs } from '@daylift/clock/durations';
import { schedulerEvents } from '@daylift/contracts/scheduler.events';
import { runAlone } from '@daylift/database/advisory-locks';
import { publish } from '@daylift/events/publish';
import type { Loop } from '@daylift/server/loops';
import type { Transaction } from 'kysely';
import { zonesAhead } from '../announcements/announcements.actions.ts';
import type { SchedulerDatabase } from '../database.ts';
import type { SchedulerDeps } from '../deps.ts';
import { countDueBefore } from '../load/due-hours.repository.ts';
import { countInZone } from '../subscribers/subscribers.repository.ts';
import { saveDueTexts } from './due-texts.repository.ts';

type Trx = Transaction<SchedulerDatabase>;

/** Publishes how many texts are due until midnight UTC, when the provider's daily spend limit resets. */
export const publishDueTextsLoop = ({ db, clock }: Pick<SchedulerDeps, 'db' | 'clock'>): Loop => ({
  name: 'publish-due-texts',
  everyMs: 30_000,
  settleEveryMs: hourMs,
  run: () => runAlone(db, 'publish_due_texts', (trx) => publishDueTexts(trx, clock.now())),
});

async function publishDueTexts(trx: Trx, now: Date): Promise<number> {
  const until = new Date((Math.floor(now.getTime() / dayMs) + 1) * dayMs);
  const texts = (await countDueBefore(trx, until)) + (await countUnplanned(trx, now, until));
  if (!(await saveDueTexts(trx, { until, texts }))) return 0;
  const data = { until: until.toISOString(), texts, counted_at: now.toISOString() };
  await publish(trx, schedulerEvents, 'scheduler.due_texts.changed', data, now);
  return 1;
}

/** Counts texts of announcements that are planned later. */
async function countUnplanned(trx: Trx, now: Date, until: Date): Promise<number> {
  let texts = 0;
  for (const zone of await zonesAhead(trx, now, until))
    if (zone.isOpen) texts += await countInZone(trx, zone);
  return texts;
}
