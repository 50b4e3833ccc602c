import { hourMs } from '@daylift/clock/durations';
import type { Loop } from '@daylift/server/loops';
import type { Kysely } from 'kysely';
import { hasOpenedEverywhere } from '../announcements/announcements.actions.ts';
import { findPlannedZones } from '../announcements/announcements.repository.ts';
import { completeMessage, findUncompletedMessages } from '../contents/contents.repository.ts';
import type { ScheduledMessage } from '../contents/contents.table.ts';
import type { SchedulerDatabase } from '../database.ts';
import type { SchedulerDeps } from '../deps.ts';
import { listZones } from '../subscribers/subscribers.repository.ts';
import { hasRecipientsLeft, isInProgress, wasSentToAnyone } from './completions.repository.ts';

const aheadMs = 14 * hourMs;
/** A date ends last at UTC-12, and its last texts may be sent up to 3 hours late. */
const overAfterMs = (24 + 12 + 3) * hourMs;

/** Publishes that a scheduled message is sent once no one is left who may still get it. */
export function completeMessagesLoop({ db, clock }: SchedulerDeps): Loop {
  return {
    name: 'complete-messages',
    everyMs: 15_000,
    run: async () => {
      const now = clock.now();
      const latestDate = new Date(now.getTime() + aheadMs).toISOString().slice(0, 10);
      let completed = 0;
      for (const message of await findUncompletedMessages(db, latestDate)) {
        if (await isDone(db, message, now)) completed += await complete(db, message, now);
      }
      return completed;
    },
  };
}

async function isDone(
  db: Kysely<SchedulerDatabase>,
  message: ScheduledMessage,
  now: Date,
): Promise<boolean> {
  const isOver = now.getTime() >= Date.parse(message.scheduled_date) + overAfterMs;
  if (message.category === 'announcement') {
    return (
      (isOver || (await hasComeEverywhere(db, message, now))) && !(await isInProgress(db, message))
    );
  }
  if (await hasRecipientsLeft(db, message)) return false;
  return isOver || (await wasSentToAnyone(db, message));
}

/** Returns whether its time has come in every zone and everyone there is planned. */
async function hasComeEverywhere(
  db: Kysely<SchedulerDatabase>,
  message: ScheduledMessage,
  now: Date,
): Promise<boolean> {
  const zones = await listZones(db);
  if (zones.length === 0 || !hasOpenedEverywhere(message, zones, now)) return false;
  const planned = await findPlannedZones(db, message.id);
  return zones.every((zone) => planned.has(zone));
}

function complete(
  db: Kysely<SchedulerDatabase>,
  { id, version }: ScheduledMessage,
  now: Date,
): Promise<number> {
  return db
    .transaction()
    .execute(async (trx) => ((await completeMessage(trx, id, now, version)) ? 1 : 0));
}
